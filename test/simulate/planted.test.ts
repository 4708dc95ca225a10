import { describe, expect, test } from 'vitest';

import { PLANTED } from './planted.ts';
import { simulate } from './simulate.ts';

/** How many storms a bug may survive. */
const SEEDS = 60;

describe('the simulation catches, in a few storms', () => {
  test.each(PLANTED)('$bug', async ({ planted, seenBy }) => {
    const seen: string[] = [];
    for (let seed = 1; seed <= SEEDS && seen.length === 0; seed += 1) {
      await simulate(seed, planted).catch((thrown: unknown) => seen.push(String(thrown)));
    }
    expect(seen).toEqual([expect.stringMatching(seenBy)]);
  });
});
