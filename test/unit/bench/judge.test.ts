import { expect, test } from 'vitest';

import type { Answer } from '../../../bench/beside-rebuild/answers.ts';
import { judge } from '../../../bench/beside-rebuild/judge.ts';

/** What the bench of readers beside a rebuild would find wrong: it has to be able to. */

const scores = {
  old: new Map([
    ['a', 1],
    ['b', 2],
    ['same', 5],
  ]),
  new: new Map([
    ['a', 3],
    ['b', 4],
    ['same', 5],
  ]),
};
const turns = [
  { to: 'new', from: 100 },
  { to: 'old', from: 200 },
] as const;

/** Asked at that time, and answered 10 ms later. */
function answer(askedAt: number, found: Readonly<Record<string, number>>, status = 200): Answer {
  return { path: '/top', askedAt, answeredAt: askedAt + 10, status, scores: new Map(Object.entries(found)) };
}

const OLD = { a: 1, b: 2 };
const NEW = { a: 3, b: 4 };

test('one formula after the other, each once, is as it should be', () => {
  const answers = [
    answer(0, OLD),
    answer(105, OLD),
    answer(110, NEW),
    answer(150, NEW),
    answer(205, NEW),
    answer(230, OLD),
  ];
  expect(judge(answers, scores, turns)).toEqual({ told: 6, failed: [], mixed: [], backwards: [] });
});

test.each([
  ['an answer of both formulas', { a: 1, b: 4 }, 'old and new'],
  ['an answer of neither', { a: 7 }, 'none'],
])('%s is a mixed one', (_what, found, formulas) => {
  expect(judge([answer(0, found)], scores, turns).mixed).toEqual([`/top: ${formulas}`]);
});

test.each([
  ['the formula to come, before anybody has asked for it', [answer(50, NEW)]],
  ['the formula before, once the next one was seen', [answer(105, NEW), answer(116, OLD)]],
  ['the next formula, once the one before was back', [answer(205, OLD), answer(216, NEW)]],
])('%s is a step back', (_what, answers) => {
  expect(judge(answers, scores, turns).backwards).toHaveLength(1);
});

test('who had asked before the first answer of the next formula was there may get the one before', () => {
  expect(judge([answer(105, NEW), answer(114, OLD)], scores, turns).backwards).toEqual([]);
});

test('an answer that failed is named; entries with one score by both formulas, or that are not known, tell nothing', () => {
  const judged = judge([answer(0, {}, 503), answer(1, { same: 5, later: 9 })], scores, turns);
  expect(judged).toEqual({
    told: 0,
    failed: ['/top: 503, 10 ms, asked 0 s after the build began'],
    mixed: [],
    backwards: [],
  });
});
