import { expect, test } from 'vitest';

import { openEngine } from '../../../support/engine.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { OPEN_GATE } from '../../../support/open-gate.ts';
import { withFetch } from '../../../support/fetching.ts';

/** A lane that has nothing to read: what ends its wait, and what it looks at. */

const engine = forEachTest(() => openEngine(1));

test('a pause of its build ends the wait, however long that is: the lane says at once that it is quiet', async () => {
  let token: string | null = null;
  let isWaiting = false;
  const heard: (() => void)[] = [];
  const gate = {
    ...OPEN_GATE,
    pauseOf: () => token,
    onPause: (build: string, listener: () => void) => {
      if (build === 'notes@1') heard.push(listener);
    },
  };
  const log = withFetch(engine.log, async (_, from, { signal }) => {
    isWaiting = true;
    // For ever, but for the signal.
    await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    return { from, next: from, records: [] };
  });
  await engine.start({ log, gate });
  await expect.poll(() => isWaiting).toBe(true);
  for (const [before, next] of [
    [null, 'first'],
    ['first', 'second'],
  ] as const) {
    expect((await engine.checkpoint())?.quiet).toBe(before);
    token = next;
    for (const listener of heard) listener();
    await expect.poll(async () => (await engine.checkpoint())?.quiet).toBe(next);
    isWaiting = false;
    token = null;
    await expect.poll(() => isWaiting).toBe(true);
  }
});
