import { beforeEach, expect, test } from 'vitest';

import { markAgain, acknowledge } from '../../../../src/projecting/search/acknowledge.ts';
import type { Stored } from '../../../../src/stores/documents/port.ts';
import { entriesOf, INDEX, openFeedBench, type Note } from '../../../support/feed-bench.ts';
import { forEachTest } from '../../../support/for-each-test.ts';

const bench = forEachTest(openFeedBench);
beforeEach(async () => {
  await bench.search.declare(INDEX);
});

async function stored(id: string): Promise<Stored<Note>> {
  const found = await bench.stored(id);
  if (!found) throw new Error(`no ${id}`);
  return found;
}

const clear = async (...documents: readonly Stored<Note>[]): Promise<void> =>
  acknowledge(bench.feeding, documents, () => undefined);

test('a mark is taken away by a write that leaves what the document says untouched', async () => {
  await bench.fold(['a', 1, 'one']);
  const before = await stored('a');
  await clear(before);
  const after = await stored('a');
  expect(after.body).toEqual({ registers: before.body.registers, view: before.body.view });
  expect(after.version).not.toBe(before.version);
});

test('a document that waits and is marked again cannot be acknowledged by the feeder that is just sending it', async () => {
  await bench.fold(['a', 1, 'one']);
  const theirs = await stored('a');
  await markAgain(bench.feeding, ['a']);
  await clear(theirs);
  expect(await bench.marks()).toEqual({ a: 'put' });
});

test.each([
  { to: 'put', publish: 'again', expected: { a: 'put' } },
  { to: 'remove', publish: null, expected: { a: 'remove' } },
])('a document without a mark is marked as its entry asks for: $to', async ({ publish, expected }) => {
  await bench.fold(['a', 1, 'one']);
  await bench.fold(['a', 2, publish]);
  await clear(await stored('a'));
  await markAgain(bench.feeding, ['a']);
  expect(await bench.marks()).toEqual(expected);
});

test('a document that is gone is taken out of the index', async () => {
  await bench.fold(['a', 1, 'one'], ['b', 1, 'one']);
  const entries = [await stored('a'), await stored('b')];
  bench.feed();
  await bench.fed();
  const { version } = await stored('a');
  await bench.documents.remove(INDEX, [{ id: 'a', read: version }]);
  await clear(...entries);
  expect(await bench.held()).toEqual(entriesOf({ b: 'one' }));
});
