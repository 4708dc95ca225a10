/** Meilisearch reads the first ten words of a query, and disregards all others. */
export const MAX_WORDS = 10;
/** It indexes no word of more bytes than this: a longer one has no meaning for it. */
const MAX_WORD_BYTES = 240;
/** Letters that it might drop do not make a word: a search for nothing finds everything. */
const HAS_BASE = /[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{N}]/u;

/** As much of a word as Meilisearch reads, whole letters of it. */
export function readable(word: string): string {
  let cut = word;
  while (Buffer.byteLength(cut) > MAX_WORD_BYTES) cut = Array.from(cut).slice(0, -1).join('');
  return HAS_BASE.test(cut) ? cut : '';
}

/** A word typed again asks for nothing more; the last one stays last, for it may be unfinished. */
export function distinct(words: readonly string[]): readonly string[] {
  const last = words.at(-1);
  const before = new Set(words.filter((word) => word !== last));
  return [...before, last ?? ''].filter((word) => word !== '');
}

/** Words by tens. Behind all but the last ten stands a space: their last word is finished. */
export function chunks(words: readonly string[]): readonly string[] {
  const count = Math.ceil(words.length / MAX_WORDS);
  return Array.from({ length: count }, (_, at) => {
    const chunk = words.slice(at * MAX_WORDS, (at + 1) * MAX_WORDS).join(' ');
    return at === count - 1 ? chunk : `${chunk} `;
  });
}
