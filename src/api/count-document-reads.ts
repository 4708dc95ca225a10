import { Counter, type Registry } from '../platform/metrics-registry.ts';
import { wrapCalls } from '../stores/wrap-calls.ts';
import type { ReadDocuments } from '../stores/time-limit.ts';

/** The same documents, whose reads are counted: what freshness costs the store, whatever the traffic. */
export function countDocumentReads(documents: ReadDocuments, registry: Registry): ReadDocuments {
  const operations = new Counter({
    name: 'catalog_api_store_operations_total',
    help: 'Reads of the documents store for answers, each of any number of documents: get, versions, find, count or scan.',
    labelNames: ['operation'] as const,
    registers: [registry],
  });
  return wrapCalls(documents, async (call, operation) => {
    if (operation !== 'now') operations.inc({ operation });
    return await call();
  });
}
