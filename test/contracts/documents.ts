import { afterEach, describe } from 'vitest';

import type { Documents } from '../../src/stores/documents/port.ts';
import type { Bench, DocumentsFactory } from './documents-bench.ts';
import { describeBeside } from './documents-beside.ts';
import { describeChanges } from './documents-changes.ts';
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
 * the body runs what it says of reading and finding a second time, with native keys; one that keeps other keys beside the body,
 * nearly all of it with such keys.
 */
export function documentsContract(
  name: string,
  factory: () => DocumentsFactory,
  { keepsNativeApart = false, keepsKeysBeside = false } = {},
): void {
  describe(`documents on ${name}`, () => {
    const opened: Documents[] = [];
    const keep = (documents: Documents): Documents => {
      opened.push(documents);
      return documents;
    };
    const client = async (): Promise<Documents> => keep(await factory().open());
    /** With keys that are native, or beside the body. */
    const benchWith = (keys: 'native' | 'beside' | null): Bench => {
      const collection: Bench['collection'] = async (documents, ...indexes) => {
        const made = `c${process.pid}-${(collections += 1)}@1`;
        const some = [...new Set(['view', 'nested', 'numbers', 'texts', ...rootsOf(indexes)])];
        await documents.declare({ name: made, indexes, ...(keys && { [keys]: some }) });
        return made;
      };
      return {
        client,
        clients: async (count) => {
          const first = await client();
          return [first, ...(await Promise.all(Array.from({ length: count - 1 }, client)))];
        },
        interrupted: async () => keep(await factory().openInterrupted()),
        cut: () => factory().cut(),
        collection,
        made: async (...indexes) => {
          const documents = await client();
          return { documents, name: await collection(documents, ...indexes) };
        },
      };
    };
    const bench = benchWith(null);
    afterEach(async () => {
      for (const documents of opened.splice(0)) await documents[Symbol.asyncDispose]();
    });

    describeReading(bench);
    describeWriting(bench);
    describeRemoving(bench);
    describeLostAnswers(bench);
    describeConcurrency(bench);
    describeChanges(bench);
    describeQueries(bench);
    describePages(bench);
    describeModel(bench);
    describeCollections(bench);
    describeFailing(bench);

    describe('with native keys', () => {
      const native = benchWith('native');
      describeNative(native);
      if (!keepsNativeApart) return;
      describeReading(native);
      describeQueries(native);
      describePages(native);
      describeModel(native);
    });

    describe('with keys beside the body', () => {
      const beside = benchWith('beside');
      describeBeside(bench);
      if (!keepsKeysBeside) return;
      describeReading(beside);
      describeWriting(beside);
      describeRemoving(beside);
      describeLostAnswers(beside);
      describeConcurrency(beside);
      describeQueries(beside);
      describePages(beside);
      describeModel(beside);
    });
  });
}

/** What the paths of indexes begin with, where it may be native. */
function rootsOf(indexes: readonly (readonly string[])[]): readonly string[] {
  const roots = indexes.flat().map((path) => path.replace('-', '').split('.', 1)[0] ?? '');
  return roots.filter((root) => /^[a-z]/.test(root));
}
