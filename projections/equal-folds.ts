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
    'pTIdXiGXjTomblZdpDL3QNWE-OhD-y3_huAoSYgUeIM',
    'R4cExwTWqDIHOmy_oWFPUw0Lr9RtfGxtUl1po69gFd4',
    'ZgQGLMBuEh9yv3g4JvQHxgREJfWYqPKVG0thwHplOI0',
    'Spq-xvVP4xWPlboqv9pKlqKoKAKO4_ryapROoYqEMls',
    'Q6AyNEyXojZVnBkg9UAK4AXUYaVfc5EvQrPJ3ySjckA',
    'yMVj_vRjC_AGXYJFwDUafsb-73Hn9o00IzVirgoX09s',
    'g41KL3Kwuw6Fo8-UIXYcxByifHTUv1hV1fdISKZbB_k',
    'HeO8v6IPJk_1QZlAYSKEtzNomacaTAJRQl4L4Husm0c',
    '4IBxOIL6k-YaBmgfp5avhBE76ocKhltV7ZaYdAaBR8k',
  ],
  'listings@2': [
    'y7IPyRFpMXOH9I_3F7fWxAYJb0Q1xcryoN5QalJshAo',
    'tFQ8Ph5XMSZ1-efxADsXGSQ7a4Tv4bEfiV6O5TCAsOM',
    'FQIEkuNewBDgzPQbefRsvoVOuPulIfLob0ubz1-xeK0',
    '22x9b5IXonL25h-WdQ0rmbKuzvV6oApWaqVgLJvapSM',
  ],
  'categories@1': [
    'eBRCQLjzIf3O_u8So6kdyIQAGTrj12jep6CE-2ne9z4',
    'ywYnA1g3vhTetQlWGuGbZGS7SNFOMHnyBkJ9FdLzGjI',
    'HosPvWvAfEFWnTAMMYV4lIeuRxWWHjYR-Ay49ueRiAs',
    '6Qj2fPHgYtXHVyiVHtcwmICD1o2vVph71p8664-toWo',
    'DOTHR-GjyyTMLGcJuwX233KL4OsbDoLw0TYA0jmTT8c',
    'ug1uZm2BGXb68-Sa8NTgpmXe4RXxATHmvsNMH6gDe3c',
    'gWXh9t9HqvxtZiZMzKD4knw-qw8urRecPLfAFg3w57U',
    'qPzEdGZNBI1VxP6uvuUeP2AhmLlPF0Oiy4tACOenVbg',
    'mUld3kdoJsqHJD9oIdSPvl2rLFhN7OlgSFbWrnxwVro',
    'kOSjsJvV-fjZAat78wKe_LGSnjRYN69o0No7oCQAKao',
    'TMd9VH5jOG-Ut9cW3jirJKCKKQIa3p-FnvtW1JP1N9U',
    '7v2KPJ4ihWLLU0VitCXaDRUY80amVClvGZb7qgM6WVs',
    '7YWRxCbJaYPdM8Z7k8kx3LmuGtPJtK3T8FvmGyXhaf4',
  ],
  'monitor@1': [
    'KBzLW7a62GxPmkWFnAIMFTXFAPkBCyBcv1Pn8g-NL_M',
    'v0rhtIMOU5G_Ggy8OjPlOKEYY_rIfyJtg82irfeQWio',
    '4izH1dU0cPuYH1dI_EMtUX-KLqfMQ5sfP_4M0oFzU6g',
    'cO6PwitutqQK5oqtTJ02mcEjQ1fSKdeVFngn5mRxdMY',
    'H8ffKCaTP7qtbTwmZPaHACmydLIaRkri0djhSR_8L4Y',
    'mthqlJ9f-CVwWBZvlVqdGSp6ZXiONQMk34xf254fqPM',
    'IGZm6yA2DsQVDMDePZDEeMfgNt5OgpC_IC-oWej0zlI',
    'tZyW9RVGw7eQurW2piRopTE4ItTSJp0As7TmbIkuVgc',
    'bVGXiUNjlQxtKr7Sj1mRkL5KFUB9QCXMevxA3zlcfeg',
    'r15G5ecA4MpauwjLtBFq34cwFFZwJgYfs2s3EQe3FO4',
    'URdJrXbrXoDkx9HyUgTAaDm63uup3k_zvgyLqtUj5to',
    'xYcNkCuxAkBvTHJan8-TehSMczVhofAu5yclbbJI6H4',
    'AO-n3xzQWQCjOrYM3Phug_ub2zaYabAlaJZqjlkGGU4',
    '-23B0nhCSRPT2zlJB6a8BnL41qPEXW_9AxBIuI9dpak',
  ],
};
