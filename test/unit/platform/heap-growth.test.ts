import { spawnSync } from 'node:child_process';

import { expect, test } from 'vitest';

import { GROWTH_PERCENT, limitHeapGrowth } from '../../../src/platform/heap-growth.ts';

const LIMITED = `--heap-growing-percent=${GROWTH_PERCENT}`;
const FREE = '--heap-growing-percent=0';

test('the limit holds until the last one who asked for it lets go, however often anybody does', () => {
  const said: string[] = [];
  const limit = (): Disposable => limitHeapGrowth((flag) => said.push(flag));
  const [one, other] = [limit(), limit()];
  one[Symbol.dispose]();
  one[Symbol.dispose]();
  expect(said).toEqual([LIMITED]);
  other[Symbol.dispose]();
  expect(said).toEqual([LIMITED, FREE]);
  limit()[Symbol.dispose]();
  expect(said).toEqual([LIMITED, FREE, LIMITED, FREE]);
});

/** What V8 says to a flag that is set from within, on standard error: it goes on with those that it does not know. */
function answerTo(flag: string): string {
  const script = `require('node:v8').setFlagsFromString(${JSON.stringify(flag)})`;
  return spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' }).stderr;
}

test('V8 still knows the flag', () => {
  expect(answerTo(LIMITED) + answerTo(FREE)).toBe('');
  expect(answerTo('--no-such-flag-at-all=1')).toContain('no-such-flag-at-all');
});
