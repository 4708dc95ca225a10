import { describe, expect, test } from 'vitest';

import { withMark } from '../../../../src/projecting/engine/outbox.ts';
import { newVersion } from '../../../../src/stores/documents/port.ts';
import { removals, type Mark } from '../../../../src/stores/outbox.ts';
import { INDEX, openFeedBench } from '../../../support/feed-bench.ts';
import { forEachTest } from '../../../support/for-each-test.ts';

const bench = forEachTest(openFeedBench);

/** The note has this mark, or none, as a feeder would have left it. */
async function mark(id: string, dirty: Mark | undefined): Promise<void> {
  const stored = await bench.stored(id);
  if (!stored) throw new Error(`no ${id}`);
  const write = { id, read: stored.version, version: newVersion(), body: withMark(stored.body, dirty) };
  await bench.documents.write(INDEX, [write]);
}

describe('a write that changes the entry of a document marks it', () => {
  test('what is published is to be put, and what is unpublished is to be removed', async () => {
    await bench.fold(['a', 1, 'one'], ['b', 1, 'one']);
    expect(await bench.marks()).toEqual({ a: 'put', b: 'put' });
    await bench.fold(['b', 2, null]);
    expect(await bench.marks()).toEqual({ a: 'put', b: 'remove' });
  });

  test('what was never published is not marked', async () => {
    await bench.fold(['a', 1, null]);
    expect(await bench.marks()).toEqual({});
  });

  test('what has been fed is marked again by another entry, and not by the same one', async () => {
    await bench.fold(['a', 1, 'one']);
    await mark('a', undefined);
    await bench.fold(['a', 2, 'one']);
    expect(await bench.marks()).toEqual({});
    await bench.fold(['a', 3, 'two']);
    expect(await bench.marks()).toEqual({ a: 'put' });
  });

  test.each<Mark>([{ mark: 'put' }, { mark: 'refused', reason: 'too long' }])(
    'a document marked $mark keeps its mark where the entry stays the same: what it asks for is not done yet',
    async (dirty) => {
      await bench.fold(['a', 1, 'one']);
      await mark('a', dirty);
      await bench.fold(['a', 2, 'one']);
      expect((await bench.stored('a'))?.body.dirty).toEqual(dirty);
    },
  );

  test('a removal that waits for its confirmation stays, until the document is published again', async () => {
    await bench.fold(['a', 1, 'one'], ['a', 2, null]);
    await mark('a', { mark: 'confirm', since: 5 });
    await bench.fold(['a', 3, null]);
    expect((await bench.stored('a'))?.body.dirty).toEqual({ mark: 'confirm', since: 5 });
    await bench.fold(['a', 4, 'back']);
    expect(await bench.marks()).toEqual({ a: 'put' });
  });

  test('what the engine refused is tried again with another entry, and removed without one', async () => {
    await bench.fold(['a', 1, 'one'], ['b', 1, 'one']);
    await mark('a', { mark: 'refused', reason: 'too long' });
    await mark('b', { mark: 'refused', reason: 'too long' });
    await bench.fold(['a', 2, 'two'], ['b', 2, null]);
    expect(await bench.marks()).toEqual({ a: 'put', b: 'remove' });
  });
});

test('queries leave out what is to be removed or to be confirmed, and nothing else', async () => {
  await bench.fold(['a', 1, 'one'], ['b', 1, 'one'], ['c', 1, 'one'], ['d', 1, 'one']);
  await mark('d', undefined);
  await bench.fold(['c', 2, null], ['b', 2, null]);
  await mark('b', { mark: 'confirm', since: 5 });
  expect(await removals(bench.documents, INDEX)).toEqual(['b', 'c']);
});
