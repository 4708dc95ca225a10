import { afterEach, describe } from 'vitest';

import type { Documents } from '../../src/stores/documents/port.ts';
import type { Bench, DocumentsFactory } from './documents-bench.ts';
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
import { describeOneKey } from './documents-one-key.ts';
import { describePages } from './documents-pages.ts';
import { describeQueries } from './documents-queries.ts';
import { describeReading } from './documents-reading.ts';

let collections = 0;

/** The contract of the documents port. Every adapter runs all of it, unchanged. */
export function documentsContract(name: string, factory: () => DocumentsFactory): void {
  describe(`documents on ${name}`, () => {
    const opened: Documents[] = [];
    const keep = (documents: Documents): Documents => {
      opened.push(documents);
      return documents;
    };
    const client = async (): Promise<Documents> => keep(await factory().open());
    const collection: Bench['collection'] = async (documents, ...indexes) => {
      const made = `c${process.pid}-${(collections += 1)}@1`;
      await documents.declare({ name: made, indexes });
      return made;
    };
    const bench: Bench = {
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
    describeNative(bench);
    describeOneKey(bench);
  });
}
