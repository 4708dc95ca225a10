import { expect, test } from 'vitest';

import { once } from '../../../src/platform/once.ts';

test('what is made once is made when it is first asked for, and never again', () => {
  let made = 0;
  const one = once(() => (made += 1));
  expect([made, one(), one(), made]).toEqual([0, 1, 1, 1]);
});

test('callers share one attempt, and whoever asks after it has failed has another one', async () => {
  const attempts: PromiseWithResolvers<string>[] = [];
  const one = once(() => {
    const attempt = Promise.withResolvers<string>();
    attempts.push(attempt);
    return attempt.promise;
  });
  const both = [one(), one()];
  attempts[0]?.reject(new Error('away'));
  for (const each of both) await expect(each).rejects.toThrow('away');
  const third = one();
  attempts[1]?.resolve('here');
  expect([await third, await one(), attempts.length]).toEqual(['here', 'here', 2]);
});
