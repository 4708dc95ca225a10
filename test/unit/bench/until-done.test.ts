import { expect, test } from 'vitest';

import { untilDone, type Worker } from '../../../bench/until-done.ts';
import { RetryableError } from '../../../src/platform/errors.ts';

const AT_WORK: Worker = { child: { exitCode: null, signalCode: null }, printed: async () => '' };

/** Answers in turn, and the last one again and again. */
function looks(...answers: readonly (number | Error)[]): () => Promise<number> {
  let at = 0;
  return async () => {
    const answer = answers[Math.min(at, answers.length - 1)] ?? 0;
    at += 1;
    if (typeof answer !== 'number') throw answer;
    return answer;
  };
}

test('work is done once nothing is left, and a store that is too busy to say is asked again', async () => {
  const left = looks(2, new RetryableError('busy'), 1, 0);
  await expect(untilDone({ left, everyMs: 0, by: () => [AT_WORK] })).resolves.toBeUndefined();
});

test('work that does not become less is given up, with what is left', async () => {
  const stuck = untilDone({ left: looks(9, 5, 7), everyMs: 1, stuckMs: 20 });
  await expect(stuck).rejects.toThrow(/are left, and for 0.02 s none was done$/);
});

test('work whose process has ended is given up, with the last that it said', async () => {
  const ended: Worker = {
    child: { exitCode: 3, signalCode: null },
    printed: async () => 'starting\nno such broker\n',
  };
  const waiting = untilDone({ left: looks(5), everyMs: 0, by: () => [AT_WORK, ended] });
  await expect(waiting).rejects.toThrow('a process ended with 3: no such broker');
});

test('an error that does not pass by itself ends the wait', async () => {
  const waiting = untilDone({ left: looks(new Error('no such topic')), everyMs: 0 });
  await expect(waiting).rejects.toThrow('no such topic');
});
