import { spawnSync } from 'node:child_process';

import { expect, test } from 'vitest';

import { GROWTH_PERCENT } from '../../../src/platform/heap-growth.ts';

/** What V8 says to a flag that is set from within, on standard error: it goes on with those that it does not know. */
function saidTo(flag: string): string {
  const script = `require('node:v8').setFlagsFromString(${JSON.stringify(flag)})`;
  return spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' }).stderr;
}

test('V8 still knows the flag that limits how heaps grow', () => {
  expect(saidTo(`--heap-growing-percent=${GROWTH_PERCENT}`)).toBe('');
  expect(saidTo('--no-such-flag-at-all=1')).toContain('no-such-flag-at-all');
});
