import { expect, test } from 'vitest';

import { lastUseOf } from '../../../../../src/api/pages/account/key-view.ts';

const NOW = '2026-11-20T10:00:00.000Z';
const said = {
  format: { moment: (at: string) => at },
  texts: { keys: { never: 'not in 35 days', notYet: 'not yet' } },
} as unknown as Parameters<typeof lastUseOf>[2];

test.each([
  ['that is new, and was not used', '2026-11-19T10:00:00.000Z', null, 'not yet'],
  ['that is older than uses are kept', '2026-10-01T10:00:00.000Z', null, 'not in 35 days'],
  ['that was used', '2026-10-01T10:00:00.000Z', '2026-11-01T10:00:00.000Z', '2026-11-01T10:00:00.000Z'],
])('the last use of a key %s', (_what, created_at, used, told) => {
  const key = { id: 'k', label: null, place: 1, created_at, revoked_at: null, expires_at: null };
  const lastUsed = new Map(used === null ? [] : [['k', used] as const]);
  const usage = { days: [], lastUsed, now: NOW, today: '2026-11-20' };
  expect(lastUseOf(key as unknown as Parameters<typeof lastUseOf>[0], usage, said)).toBe(told);
});
