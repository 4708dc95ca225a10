/**
 * How text is brought to one form for searching. Entries and queries pass through the same functions, so that every
 * search engine finds the same names. Pure.
 */

/** Names that are told apart by more than letters and digits, spelt with letters: `C++`, `C#`, and `1С` in either script. */
export const SPELT: readonly (readonly [RegExp, string])[] = [
  [/(?<![\p{L}\p{N}])[cс]\+\+/gu, 'cplusplus'],
  [/(?<![\p{L}\p{N}])[cс]#/gu, 'csharp'],
  [/(?<![\p{L}\p{N}])1с(?![\p{L}\p{N}])/gu, '1c'],
];

/** Each of them has one of these; few texts do. */
const SIGN_OF_SPELT = /[+#1]/;

/** A word among what `folded` gives. */
export const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/**
 * What a username or a title must equal to be matched exactly: without regard to case, to accents (`ё` is `е`, `й` is
 * `и`), to the form of Unicode, to spaces around and between, and to an `@` before it. Signs count: `C#` is not `C`.
 */
export function nameKey(text: string): string {
  return folded(text).trim().replace(/^@/, '').replace(/\s+/gu, ' ');
}

/** The words of a text in one form, as they are indexed and searched: letters and digits alone, in lower case. */
export function searchWords(text: string): readonly string[] {
  const plain = folded(text);
  const spelt = SIGN_OF_SPELT.test(plain)
    ? SPELT.reduce((sofar, [name, letters]) => sofar.replace(name, letters), plain)
    : plain;
  return spelt.match(WORD) ?? [];
}

/** `AccountCreatedBot` as `Account`, `Created`, `Bot`; the name alone where nothing is glued together. */
export function gluedParts(name: string): readonly string[] {
  return name.split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u);
}

/** Nothing in it has another form in Unicode, but for `й`, which is `и` with an accent. */
const RUSSIAN_OR_ENGLISH = /^[ -~А-я«»–—]*$/;

/** The compatibility form in lower case, without the accents of European scripts (U+0300 to U+036F). */
export function folded(text: string): string {
  if (RUSSIAN_OR_ENGLISH.test(text)) return text.toLowerCase().replaceAll('й', 'и');
  const lower = text.normalize('NFKD').toLowerCase();
  return lower.replaceAll(/[\u0300-\u036F]/g, '').normalize('NFC');
}
