import { beforeEach, describe, expect, test } from 'vitest';

import { PermanentError } from '../../../../src/platform/errors.ts';
import { sendWaiting } from '../../../../src/projecting/search/sending.ts';
import { INDEX, openFeedBench } from '../../../support/feed-bench.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { overriding } from '../../../support/overriding.ts';

/** One more than a page has. */
const NOTES = Array.from({ length: 1001 }, (_, at) => `n${String(at).padStart(4, '0')}`);

const bench = forEachTest(openFeedBench);
beforeEach(async () => {
  await bench.search.declare(INDEX);
  await bench.fold(...NOTES.map((id) => [id, 1, 'one'] as const));
});

describe('a page of waiting documents', () => {
  test.each([
    ['', 0],
    [', also of the last page', 1000],
  ])('whose marks could not be taken away is not done: what failed is told%s', async (_, at) => {
    const documents = overriding(bench.documents, {
      write: async (collection, writes) => {
        if (writes.some(({ id }) => id === NOTES[at])) throw new PermanentError('no marks');
        return await bench.documents.write(collection, writes);
      },
    });
    const run = async (): Promise<void> => {
      const pages = sendWaiting({ ...bench.feeding, documents });
      for (let step = await pages.next(); step.done !== true;) step = await pages.next();
    };
    await expect(run()).rejects.toThrow('no marks');
    expect(Object.keys(await bench.marks())).toContain(NOTES[at]);
  });
});
