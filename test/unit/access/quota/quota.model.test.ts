import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { sizeOf } from '../../../support/sizes.ts';
import { PLANTED } from './planted.ts';
import { storms } from './storm.ts';

const RUNS = sizeOf('QUOTA_RUNS');
/** How many storms a planted bug may survive. */
const CAUGHT_WITHIN = 60;

test('whatever happens, no day is granted more than its limit, and all of it but what the killed held', async () => {
  await fc.assert(storms(), { numRuns: RUNS });
}, 3_600_000);

test.each(PLANTED)('a storm shows it: $bug', async ({ planted, seenBy }) => {
  const { errorInstance } = await fc.check(storms(planted), { numRuns: CAUGHT_WITHIN, endOnFailure: true });
  expect(String(errorInstance)).toMatch(seenBy);
});
