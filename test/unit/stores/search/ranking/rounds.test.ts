import { expect, test } from 'vitest';

import { planOf } from '../../../../../src/stores/search/ranking/query-plan.ts';
import { relevanceBy, roundsOf } from '../../../../../src/stores/search/ranking/relevance.ts';
import { inTraits, traitsOf } from '../../../../../src/stores/search/ranking/evaluate-condition.ts';
import { transliterate } from '../../../../../src/platform/text/transliterate.ts';
import { sampleUnderstanding } from '../../../../relevance/understanding.ts';
import { words } from '../../../../support/words.ts';

const QUERIES = [
  'программирование',
  'python',
  'прог',
  'чат',
  'игры бот',
  'новости python',
  'обучение java чат',
  'p',
];
const WORDS = words('python питон pythonista программирование код игра бот чат новости java');

test('what a round is sure of is as relevant in the end, and more than all that later rounds add', () => {
  const entries = WORDS.flatMap((first) =>
    WORDS.flatMap((second) => WORDS.map((told) => entry(first, second, told))),
  );
  const understood = sampleUnderstanding();
  let sure = 0;
  for (const q of QUERIES) {
    const { full } = planOf(understood(q));
    if (full === null) throw new Error(`${q} has no words`);
    const atLast = entries.map(relevanceBy(full, inTraits));
    for (const { wanted, above } of roundsOf(full)) {
      const relevances = entries.map(relevanceBy(wanted, inTraits));
      const isSure = (at: number): boolean => (relevances[at] ?? -Infinity) > above;
      const expected = relevances.map((relevance, at) => (isSure(at) ? relevance : atLast[at]));
      expect(atLast).toEqual(expected);
      const others = atLast.filter((relevance, at) => relevance !== null && !isSure(at));
      expect(Math.max(...others.map(Number))).toBeLessThanOrEqual(above);
      if (wanted !== full) sure += relevances.filter((_, at) => isSure(at)).length;
    }
  }
  expect(sure).toBeGreaterThan(1000);
});

function entry(first: string, second: string, told: string) {
  const names = [`${first} ${second}`];
  return traitsOf({
    kind: told === 'бот' ? 'bot' : 'channel',
    category: told === 'код' ? 'programming' : 'games',
    exact: names,
    names,
    texts: [told],
    transliterated: { names: [[first, second].map(transliterate).join(' ')] },
  });
}
