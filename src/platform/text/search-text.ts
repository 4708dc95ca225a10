/**
 * How text is brought to one form for searching. Entries and queries pass through the same functions, so that every
 * search engine finds the same names. Pure.
 */

/** Names that are told apart by more than letters and digits: `C++`, `C#`, and `1С` in either script. */
const NAMES = String.raw`(?<![\p{L}\p{N}])(?:[cс]\+\+|[cс]#|1с(?![\p{L}\p{N}]))`;
const NAME = new RegExp(NAMES, 'gu');

/** Each of them has one of these; few texts do. */
const SIGN_OF_NAME = /[+#1]/;

const PLAIN_WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const WORD = new RegExp(String.raw`(?:${NAMES}|[\p{L}\p{N}])(?:${NAMES}|[\p{L}\p{N}\p{M}])*`, 'gu');

/**
 * What a username or a title must equal to be matched exactly: without regard to case, to accents (`ё` is `е`, `й` is
 * `и`), to the form of Unicode, to spaces around and between, also those without width, to what `foldText` leaves out, and to an
 * `@` before it. Signs count: `C#` is not `C`;
 * where nothing else is left (`@`, `´`), the text itself counts.
 */
export function nameKey(text: string): string {
  const plain = foldText(text)
    .replaceAll(/[\s\u200B]+/gu, ' ')
    .trim();
  return plain.replace(/^@/, '').trim() || text.normalize('NFKC').trim();
}

/** The words of a text in one form, as they are indexed and searched: letters and digits alone, in lower case. */
export function searchWords(text: string): readonly string[] {
  const plain = foldText(text);
  return SIGN_OF_NAME.test(plain) ? wordsIn(plain).map(({ word }) => word) : (plain.match(PLAIN_WORD) ?? []);
}

/** The words among what `foldText` gives, names spelt with letters; where each stands there. */
export function wordsIn(
  plain: string,
): readonly { readonly word: string; readonly from: number; readonly to: number }[] {
  return Array.from(plain.matchAll(WORD), ({ 0: found, index }) => ({
    word: found.replace(NAME, (name) =>
      name.endsWith('+') ? 'cplusplus' : name.endsWith('#') ? 'csharp' : '1c',
    ),
    from: index,
    to: index + found.length,
  }));
}

/** `AccountCreatedBot` as `Account`, `Created`, `Bot`; the name alone where nothing is glued together. */
export function gluedParts(name: string): readonly string[] {
  return name.split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u);
}

/** Nothing in it has another form in Unicode, but for `й`, which is `и` with an accent. */
const RUSSIAN_OR_ENGLISH = /^[ -~А-я«»–—]*$/;

/**
 * Accents of European scripts, and what stands inside words or beside them and shows nothing: soft hyphens, marks of direction,
 * joiners of words. Emoji and Persian words are made with others, which stay.
 */
export const LEFT_OUT = String.raw`[\u0300-\u036F\u00AD\u061C\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]`;
const ALL_LEFT_OUT = new RegExp(LEFT_OUT, 'g');

/** The compatibility form in lower case, without accents and without what nobody sees. */
export function foldText(text: string): string {
  if (RUSSIAN_OR_ENGLISH.test(text)) return text.toLowerCase().replaceAll('й', 'и');
  const lower = text.normalize('NFKD').toLowerCase();
  return lower.replaceAll(ALL_LEFT_OUT, '').normalize('NFC');
}
