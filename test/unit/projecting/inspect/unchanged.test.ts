import { expect, test } from 'vitest';

import type { Arriving } from '../../../../src/platform/arrivals.ts';
import { generationOf, whileUnchanged } from '../../../../src/projecting/inspect/unchanged.ts';

/** Documents that tell of writes by these numbers. */
function telling(generations: Readonly<Record<string, number>>) {
  const of = (name: string) => ({ look: () => generations[name] ?? 0 }) as Partial<Arriving> as Arriving;
  return { arrivals: { of } };
}

test('what was written is told by the log and the collections together', () => {
  const documents = telling({ a: 1, b: 2 });
  const log = { generation: () => 7 };
  const first = generationOf({ log, documents }, ['a', 'b']);
  expect(generationOf({ log, documents }, ['a', 'b'])).toBe(first);
  expect(generationOf({ log: { generation: () => 8 }, documents }, ['a', 'b'])).not.toBe(first);
  expect(generationOf({ log, documents: telling({ a: 1, b: 3 }) }, ['a', 'b'])).not.toBe(first);
});

test('nothing is told where one of the stores does not tell', () => {
  const log = { generation: () => 7 };
  expect(generationOf({ log, documents: {} }, ['a'])).toBeUndefined();
  expect(generationOf({ log: {}, documents: telling({ a: 1 }) }, ['a'])).toBeUndefined();
});

test('an answer stands until something is written, also while it was being read', async () => {
  let written: string | undefined = '1';
  let reads = 0;
  let meanwhile = (): void => undefined;
  const read = whileUnchanged(
    () => written,
    async () => {
      meanwhile();
      return (reads += 1);
    },
  );
  expect([await read(), await read()]).toEqual([1, 1]);
  written = '2';
  meanwhile = () => (written = '3');
  expect([await read(), await read(), await read()]).toEqual([2, 3, 3]);
  written = undefined;
  expect([await read(), await read()]).toEqual([4, 5]);
});

test('where a reading fails, the next one reads again', async () => {
  let isDown = true;
  const read = whileUnchanged(
    () => '1',
    async () => {
      if (isDown) throw new Error('down');
      return 'up';
    },
  );
  await expect(read()).rejects.toThrow('down');
  isDown = false;
  expect(await read()).toBe('up');
});
