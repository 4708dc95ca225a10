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
    'zjiGhSD4e9Uiq-2uOV6KY_WqUKJemtbmXD7pVRcifL0',
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
    '5T4JMnSUmF0-b6h7Bt-bfkdokp_YsvwficaNRRbNNkI',
  ],
  'monitor@2': ['5K5ljZGmNCuw-pUL-fdDUWao5PJuR3kB963PAehIJYw'],
};
