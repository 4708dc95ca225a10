import { beforeEach, describe, expect, test } from 'vitest';

import { StoppedError } from '../../../../src/projecting/engine/retry.ts';
import { PROBE } from '../../../../src/projecting/search/put-and-bisect.ts';
import { verifySearch, type SearchVerification } from '../../../../src/projecting/inspect/search-verify.ts';
import type { Search } from '../../../../src/stores/search/port.ts';
import { noteEntry, SEARCHED_NOTES } from '../../../support/fake-projection.ts';
import { INDEX, openFeedBench } from '../../../support/feed-bench.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { overriding } from '../../../support/overriding.ts';

/** A check that has never failed is no evidence: every kind of damage must be found, and nothing but damage. */

const bench = forEachTest(openFeedBench);
beforeEach(async () => {
  await bench.fold(['a', 1, 'one'], ['b', 1, 'two'], ['c', 1, null], ['d', 1, 'three']);
  const feed = bench.feed();
  await bench.fed();
  await feed[Symbol.asyncDispose]();
});

function verify(parts: Partial<Parameters<typeof verifySearch>[1]> = {}): Promise<SearchVerification> {
  const { documents, search } = bench;
  return verifySearch(SEARCHED_NOTES, { documents, search, signal: new AbortController().signal, ...parts });
}

test('an index that is as its documents say is found to be so', async () => {
  expect(await verify()).toEqual({
    index: INDEX,
    ok: true,
    documents: 4,
    entries: 3,
    pending: { put: 0, remove: 0, confirm: 0 },
    refused: 0,
    problems: 0,
    findings: [],
  });
});

describe('verification finds', () => {
  test.each([
    {
      damage: 'a missing entry',
      make: () => bench.search.remove(INDEX, ['b']),
      finding: { where: 'b', code: 'not_indexed', problem: 'readers see it, and the index does not have it' },
    },
    {
      damage: 'another entry',
      make: () => bench.search.put(INDEX, [noteEntry('b', 'older')]),
      finding: { where: 'b', code: 'indexed_otherwise', problem: 'the index has another entry of it' },
    },
    {
      damage: 'an entry that readers must not see',
      make: () => bench.search.put(INDEX, [noteEntry('c', 'x')]),
      finding: { where: 'c', code: 'indexed_unseen', problem: 'the index has it, and readers do not see it' },
    },
    {
      damage: 'an entry without a document',
      make: () => bench.search.put(INDEX, [noteEntry('e', 'x')]),
      finding: {
        where: 'e',
        code: 'indexed_stray',
        problem: 'the index has it, and there is no such document',
      },
    },
  ])('$damage', async ({ make, finding }) => {
    await make();
    expect(await verify()).toMatchObject({ ok: false, problems: 1, findings: [finding] });
  });

  test('more than it lists', async () => {
    await bench.search.put(
      INDEX,
      Array.from({ length: 120 }, (_, at) => noteEntry(`stray-${at}`, 'x')),
    );
    const { problems, findings } = await verify();
    expect(problems).toBe(120);
    expect(findings).toHaveLength(100);
  });
});

describe('verification has nothing against', () => {
  test('the probe of a feeder that finds out whether the engine accepts anything', async () => {
    await bench.search.put(INDEX, [PROBE]);
    expect(await verify()).toMatchObject({ ok: true, findings: [] });
  });

  test('documents that are marked: they are counted as pending', async () => {
    await bench.fold(['a', 2, 'new'], ['b', 2, null], ['n', 1, 'new']);
    expect(await verify()).toMatchObject({ ok: true, pending: { put: 2, remove: 1, confirm: 0 } });
  });

  test.each([
    {
      what: 'a feeder that works meanwhile',
      act: async () => {
        bench.feed();
        await expect.poll(() => bench.held()).toHaveProperty('b');
        await bench.fed();
      },
    },
    { what: 'a document that changes between the two looks', act: () => bench.fold(['b', 3, 'newest']) },
  ])('$what', async ({ act }) => {
    let looks = 0;
    const search: Search = overriding(bench.search, {
      contents: async function* (index) {
        looks += 1;
        if (looks === 2) await act();
        yield* bench.search.contents(index);
      },
    });
    await bench.search.remove(INDEX, ['b']);
    const verification = await verify({ search });
    expect(looks).toBe(2);
    expect(verification.findings).toEqual([]);
  });
});

test('a verification that is called off throws, and finds nothing wrong in what it has not read', async () => {
  await expect(verify({ signal: AbortSignal.abort() })).rejects.toThrow(StoppedError);
});
