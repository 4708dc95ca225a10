import { afterEach, describe } from 'vitest';

import type { Documents } from '../../src/stores/documents/port.ts';
import type { Bench, DocumentsFactory } from './documents-bench.ts';
import { describeCollections, describeFailing } from './documents-collections.ts';
import {
  describeConcurrency,
  describeLostAnswers,
  describeRemoving,
  describeWriting,
} from './documents-guards.ts';
import { describeModel } from './documents-model.ts';
import { describeNative } from './documents-native.ts';
import { describePages } from './documents-pages.ts';
import { describeQueries } from './documents-queries.ts';
import { describeReading } from './documents-reading.ts';

let collections = 0;

/**
 * The contract of the documents port. Every adapter runs all of it, unchanged. One that keeps native keys apart from
 * the body runs what it says of reading and finding a second time, with native keys.
 */
export function documentsContract(
  name: string,
  factory: () => DocumentsFactory,
  { keepsNativeApart = false } = {},
): void {
  describe(`documents on ${name}`, () => {
    const opened: Documents[] = [];
    const keep = (documents: Documents): Documents => {
      opened.push(documents);
      return documents;
    };
    const makeCollection =
      (isNative: boolean): Bench['collection'] =>
      async (documents, ...indexes) => {
        const collection = `c${process.pid}-${(collections += 1)}@1`;
        const native = isNative ? ['view', 'nested', 'numbers', 'texts', ...rootsOf(indexes)] : [];
        await documents.declare({ name: collection, indexes, native: [...new Set(native)] });
        return collection;
      };
    const bench: Bench = {
      client: async () => keep(await factory().open()),
      clients: async (count) => {
        const first = keep(await factory().open());
        const more = Array.from({ length: count - 1 }, async () => keep(await factory().open()));
        return [first, ...(await Promise.all(more))];
      },
      interrupted: async () => keep(await factory().openInterrupted()),
      cut: () => factory().cut(),
      collection: makeCollection(false),
    };
    afterEach(async () => {
      for (const documents of opened.splice(0)) await documents[Symbol.asyncDispose]();
    });

    describeReading(bench);
    describeWriting(bench);
    describeRemoving(bench);
    describeLostAnswers(bench);
    describeConcurrency(bench);
    describeQueries(bench);
    describePages(bench);
    describeModel(bench);
    describeCollections(bench);
    describeFailing(bench);

    describe('with native keys', () => {
      const native = { ...bench, collection: makeCollection(true) };
      describeNative(native);
      if (!keepsNativeApart) return;
      describeReading(native);
      describeQueries(native);
      describePages(native);
      describeModel(native);
    });
  });
}

/** What the paths of indexes begin with, where it may be native. */
function rootsOf(indexes: readonly (readonly string[])[]): readonly string[] {
  const roots = indexes.flat().map((path) => path.replace('-', '').split('.', 1)[0] ?? '');
  return roots.filter((root) => /^[a-z]/.test(root));
}
