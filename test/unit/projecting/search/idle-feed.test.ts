import { setImmediate as nextTurn } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { RetryableError } from '../../../../src/platform/errors.ts';
import type { Documents } from '../../../../src/stores/documents/port.ts';
import { behindSinceByLease, entriesOf, openFeedBench, type FeedBench } from '../../../support/feed-bench.ts';
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

/** Documents whose writes are told of by hand; who waits for them has the time pass. */
function telling() {
  let generation = 1;
  let finds = 0;
  const waits: number[] = [];
  const documents = overriding<Documents>(bench.documents, {
    find: async (...given) => {
      if (isLook(given[1].where['dirty.mark'])) finds += 1;
      return (await bench.documents.find(...given)) as never;
    },
    arrivals: {
      of: () => ({
        get generation() {
          return generation;
        },
        look: () => generation,
        wait: async (since, ms) => {
          await nextTurn();
          if (since !== generation) return ms;
          waits.push(ms);
          bench.clock.time += ms;
          return 0;
        },
      }),
    },
  });
  return {
    documents,
    waits,
    finds: () => finds,
    written: () => void (generation += 1),
    /** Resolves when it has waited so often. */
    waited: async (times: number) => {
      const before = waits.length;
      await expect.poll(() => waits.length).toBeGreaterThanOrEqual(before + times);
    },
  };
}

describe('where the store tells of writes, a feed that has nothing to do', () => {
  test('does not look for marks while nothing is written, and finds what is', async () => {
    const { documents, finds, written, waited } = telling();
    bench.feed({ documents });
    // Everything that is due in the first minutes is behind it.
    await waited(80);
    written();
    await waited(2);
    const before = finds();
    await bench.fold(['a', 1, 'one']);
    await waited(5);
    expect([finds(), await bench.marks()]).toEqual([before, { a: 'put' }]);
    written();
    await bench.fed();
    expect(await bench.held()).toEqual(entriesOf({ a: 'one' }));
  });

  test('waits until something is due: its lease, at the latest', async () => {
    const { documents, waits, waited } = telling();
    bench.feed({ documents });
    await waited(80);
    const last = waits.slice(-20);
    expect(Math.max(...last)).toBeGreaterThan(1000);
    expect(Math.max(...last)).toBeLessThanOrEqual(2000);
  });

  test('looks for marks after a failure, and then says that search is not behind, though nothing was written', async () => {
    const { documents, waited } = telling();
    let isDown = false;
    const search = overriding(bench.search, {
      seals: async (index) => {
        if (isDown) throw new RetryableError('down');
        return await bench.search.seals(index);
      },
    });
    const behindSince = () => behindSinceByLease(bench);
    bench.feed({ documents, search });
    await waited(80);
    expect(await behindSince()).toBeNull();
    isDown = true;
    await expect.poll(behindSince).toEqual(expect.any(Number));
    isDown = false;
    await expect.poll(behindSince).toBeNull();
  });
});

describe('where the store does not tell of writes, a feed that has nothing to do', () => {
  /** The marks that were looked for. */
  function looking() {
    const marks: unknown[] = [];
    const documents = overriding<Documents>(bench.documents, {
      arrivals: undefined,
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
