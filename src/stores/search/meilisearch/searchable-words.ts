/** Meilisearch reads the first ten words of a query, and disregards all others. */
const MAX_WORDS = 10;
/** It indexes no word of more bytes than this: a longer one has no meaning for it. */
const MAX_WORD_BYTES = 240;
/** Letters that it might drop do not make a word: a search for nothing finds everything. */
const HAS_BASE = /[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\p{N}]/u;

/** What Meilisearch is asked for names with slips of these words; empty where it would read none of them. Pure. */
export function asked(words: readonly string[]): string {
  return words
    .map(readable)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS)
    .join(' ');
}

/** As much of a word as Meilisearch reads, whole letters of it. */
function readable(word: string): string {
  let cut = word;
  while (Buffer.byteLength(cut) > MAX_WORD_BYTES) cut = Array.from(cut).slice(0, -1).join('');
  return HAS_BASE.test(cut) ? cut : '';
}
