import { readFileSync } from 'node:fs';

import { once } from '../../../platform/once.ts';
import { rootOf } from './stemmer.ts';

/** Words that tell little, or nothing, of what is looked for: the lists of `common-words.txt`. */

/** Whether it makes a question of what it is said with. */
export function isQuestionWord(word: string): boolean {
  return lists().questions.has(word);
}

export function isAsking(word: string): boolean {
  return lists().asking.has(word);
}

export function isStopWord(word: string): boolean {
  return lists().stop.has(word);
}

export function isFrequent(word: string): boolean {
  return lists().frequent.has(rootOf(word));
}

const lists = once(() => {
  const text = readFileSync(new URL('common-words.txt', import.meta.url), 'utf8');
  // In the form of `searchWords`.
  const plain = text.replaceAll(/#.*/g, '').replaceAll('ё', 'е').replaceAll('й', 'и');
  const list = (name: string): ReadonlySet<string> =>
    new Set(plain.split(`[${name}]`)[1]?.split('[', 1)[0]?.trim().split(/\s+/));
  return {
    stop: list('stop'),
    asking: list('asking'),
    questions: list('questions'),
    frequent: new Set(Array.from(list('frequent'), rootOf)),
  };
});
