import { describe, expect, test } from 'vitest';

import { PLANTED } from './planted.ts';
import { simulate } from './simulate.ts';

/** How many storms a bug may survive. */
const SEEDS = 60;
const ALL = Array.from({ length: SEEDS }, (_, index) => index + 1);

describe('the simulation catches, in a few storms', () => {
  test.each(Object.entries(PLANTED))('%s', async (_bug, { planted, seenBy, storm = 1 }) => {
    const seen: string[] = [];
    for (const seed of new Set([storm, ...ALL])) {
      if (seen.length === 0)
        await simulate(seed, planted).catch((thrown: unknown) => seen.push(String(thrown)));
    }
    expect(seen).toEqual([expect.stringMatching(seenBy)]);
  });
});
