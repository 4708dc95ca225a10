import { expect, test } from 'vitest';

import { headStart } from '../../../../src/api/http/head-start.ts';
import { KeyBusy } from '../../../../src/api/reading/key-gate.ts';
import { RetryableError } from '../../../../src/platform/errors.ts';

/** What is made for a request while it is being counted. */

/** The first answer is made when the test says so, later ones at once. */
function slowAtFirst() {
  const early = Promise.withResolvers<string>();
  let begun = 0;
  const make = (): Promise<string> => {
    begun += 1;
    return begun === 1 ? early.promise : Promise.resolve('late');
  };
  return { early, make, begun: () => begun };
}

const MAX_MS = 100;

function startAt0(make: () => Promise<string>, grantedAt: number): () => Promise<string> {
  let now = 0;
  const answer = headStart({ monotonic: () => now }, MAX_MS, make);
  now = grantedAt;
  return answer;
}

test.each([
  ['ended', (early: PromiseWithResolvers<string>) => early.resolve('early')],
  ['failed', (early: PromiseWithResolvers<string>) => early.reject(new RetryableError('down'))],
])('is made again where it is granted late, and not before the first one has %s', async (_, end) => {
  const { early, make, begun } = slowAtFirst();
  const answer = startAt0(make, MAX_MS)();
  await new Promise((resolve) => setImmediate(resolve));
  expect(begun()).toBe(1);
  end(early);
  expect(await answer).toBe('late');
});

test('is not made again where its key had too much at work', async () => {
  const { early, make, begun } = slowAtFirst();
  const answer = startAt0(make, MAX_MS)();
  early.reject(new KeyBusy('busy'));
  await expect(answer).rejects.toThrow(KeyBusy);
  expect(begun()).toBe(1);
});
