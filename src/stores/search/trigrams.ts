/** Every three neighbouring letters of words with a space around each: a slip leaves the ones beside it as they are. */
export function trigramsOf(words: readonly string[]): readonly string[] {
  const found = words.flatMap((word) => {
    const letters = Array.from(` ${word} `);
    return letters.slice(2).map((_, place) => letters.slice(place, place + 3).join(''));
  });
  return [...new Set(found)];
}
