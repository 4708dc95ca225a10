import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { Documents } from '../../../../src/stores/documents/port.ts';
import { entriesOf, openFeedBench, type FeedBench } from '../../../support/feed-bench.ts';
import { overriding } from '../../../support/overriding.ts';

/** A feed that has nothing to do. */

let bench: FeedBench;
beforeEach(async () => {
  bench = await openFeedBench();
});
afterEach(() => bench[Symbol.asyncDispose]());

/** Whether what waits to be sent is looked for by it. */
function isLook(mark: unknown): boolean {
  return /put|remove/u.test(JSON.stringify(mark));
}

describe('a feed that has nothing to do', () => {
  /** The marks that were looked for. */
  function looking() {
    const marks: unknown[] = [];
    const documents = overriding<Documents>(bench.documents, {
      find: async (...given) => {
        const mark = given[1].where['dirty.mark'];
        if (isLook(mark)) marks.push(mark);
        return (await bench.documents.find(...given)) as never;
      },
    });
    return { documents, marks };
  }

  test.each([
    ['a change', ['a', 2, 'two'] as const],
    ['a removal', ['a', 2, null] as const],
  ])('asks one question at a time, and does not miss %s', async (_, event) => {
    const { documents, marks } = looking();
    await bench.fold(['a', 1, 'one']);
    bench.feed({ documents });
    await bench.fed();
    await expect.poll(() => marks.length).toBeGreaterThan(8);
    marks.length = 0;
    await expect.poll(() => marks.length).toBeGreaterThan(4);
    for (const mark of marks) expect(mark).toEqual({ in: ['put', 'remove'] });
    await bench.fold([...event]);
    await bench.fed();
    expect(await bench.held()).toEqual(entriesOf(event[2] === null ? {} : { a: event[2] }));
  });
});
