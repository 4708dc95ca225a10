/**
 * Of each collection: digests of the folds that are proven to make the same documents of the same events, byte for byte.
 * A release starts on documents of any of them: a file that moved, or a fold that became faster, needs no new version.
 * The proof is test/folds; a digest stays here for as long as its documents may be met.
 */
export const EQUAL_FOLDS: Readonly<Record<string, readonly string[]>> = {
  'listings@1': [
    'Dpu-J2NCfwFP17nW2ji-7_ihZ00UtEH3eSv2EphyyNo',
    'YFUw8w06zXgj_qX3rwwe0gcI4nQRvZJd9XlKCnRi-94',
    'eQTPPZ-nI00YVgb7IQ4YcRReHlcnoq1miOggCJ_pMXg',
    'LASuic0AW6Qz4bTT9hhxpXUaLGyu4jrkrlFqfq3D-gU',
  ],
  'categories@1': [
    'eBRCQLjzIf3O_u8So6kdyIQAGTrj12jep6CE-2ne9z4',
    'ywYnA1g3vhTetQlWGuGbZGS7SNFOMHnyBkJ9FdLzGjI',
    'HosPvWvAfEFWnTAMMYV4lIeuRxWWHjYR-Ay49ueRiAs',
    'MughTCV25d8_KYrxYzJJuvIVOWM03HAmX8eGRvgMIyU',
  ],
  'monitor@1': [
    'KBzLW7a62GxPmkWFnAIMFTXFAPkBCyBcv1Pn8g-NL_M',
    'v0rhtIMOU5G_Ggy8OjPlOKEYY_rIfyJtg82irfeQWio',
    '4izH1dU0cPuYH1dI_EMtUX-KLqfMQ5sfP_4M0oFzU6g',
    'cO6PwitutqQK5oqtTJ02mcEjQ1fSKdeVFngn5mRxdMY',
    'TAgwjdzHehnjRhPEsUyMYOkmm-y2uWiXcC6R36cDEL8',
  ],
};
