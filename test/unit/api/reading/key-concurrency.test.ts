import { expect, test } from 'vitest';

import { createKeyConcurrency, KeyBusy } from '../../../../src/api/reading/key-concurrency.ts';
import { createTestClock } from '../../../support/test-clock.ts';

function setUp() {
  const clock = createTestClock();
  const gate = createKeyConcurrency({ clock, atOnce: 2, maxWaitMs: 1000 });
  const atWork: { readonly name: string; readonly end: () => void; readonly fail: (why: Error) => void }[] =
    [];
  const come = (name: string, key = 'k_one') =>
    gate.pass(key, () => {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      atWork.push({ name, end: () => resolve(name), fail: reject });
      return promise;
    });
  const names = (): readonly string[] => atWork.map(({ name }) => name);
  return { clock, come, atWork, names };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a key has so many at work; the others begin in their order, as those end or fail', async () => {
  const { come, atWork, names } = setUp();
  const answers = ['a', 'b', 'c', 'd'].map((name) => come(name).catch((thrown: Error) => thrown.message));
  await turn();
  expect(names()).toEqual(['a', 'b']);
  atWork[1]?.fail(new Error('failed'));
  await turn();
  expect(names()).toEqual(['a', 'b', 'c']);
  for (const { end } of atWork) end();
  await turn();
  expect(names()).toEqual(['a', 'b', 'c', 'd']);
  atWork[3]?.end();
  expect(await Promise.all(answers)).toEqual(['a', 'failed', 'c', 'd']);
});

test('who has waited for its time is told that the key is busy, and leaves no trace', async () => {
  const { clock, come, atWork, names } = setUp();
  const first = [come('a'), come('b')];
  const late = come('c');
  clock.advance(999);
  const later = come('d');
  clock.advance(1);
  await expect(late).rejects.toThrow(KeyBusy);
  for (const { end } of atWork) end();
  await Promise.all(first);
  await turn();
  expect(names()).toEqual(['a', 'b', 'd']);
  atWork[2]?.end();
  expect(await later).toBe('d');
  for (const name of ['e', 'f', 'g']) void come(name);
  await turn();
  expect(names().slice(3)).toEqual(['e', 'f']);
});

test('another key does not wait', async () => {
  const { come, names } = setUp();
  for (const name of ['a', 'b', 'c']) void come(name);
  void come('other', 'k_two');
  await turn();
  expect(names()).toEqual(['a', 'b', 'other']);
});
