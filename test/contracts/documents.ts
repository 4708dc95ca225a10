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
    const bench: Bench = {
      client: async () => keep(await factory().open()),
      clients: async (count) => {
        const first = keep(await factory().open());
        const more = Array.from({ length: count - 1 }, async () => keep(await factory().open()));
        return [first, ...(await Promise.all(more))];
      },
      interrupted: async () => keep(await factory().openInterrupted()),
      cut: () => factory().cut(),
      collection: async (documents, ...indexes) => {
        const collection = `c${process.pid}-${(collections += 1)}@1`;
        await documents.declare({ name: collection, indexes });
        return collection;
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
    describeQueries(bench);
    describePages(bench);
    describeModel(bench);
    describeCollections(bench);
    describeFailing(bench);
  });
}
