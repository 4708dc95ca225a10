import { type Knowledge, pairsOf } from './knowledge.ts';
import { keyOfWord } from './synonyms.ts';

/** How unlike known words some words look, from 0 to 1: 0 for known ones. Without known words nothing is odd. Pure. */
export function oddness(words: readonly string[], { keys, pairs }: Knowledge): number {
  if (words.length === 0) return 1;
  const each = words.map((word) => {
    if (keys.has(keyOfWord(word))) return 0;
    const own = pairsOf(word);
    return 0.05 + own.filter((pair) => !pairs.has(pair)).length / own.length;
  });
  return each.reduce((sum, one) => sum + one, 0) / each.length;
}
