import { Counter, type Registry } from '../platform/metrics.ts';
import type { ReadDocuments } from '../stores/time-limit.ts';

/** The same documents, whose reads are counted: what freshness costs the store, whatever the traffic. */
export function countedDocuments(documents: ReadDocuments, registry: Registry): ReadDocuments {
  const operations = new Counter({
    name: 'catalog_api_store_operations_total',
    help: 'Reads of the documents store for answers, each of any number of documents: get, versions, find, count or scan.',
    labelNames: ['operation'] as const,
    registers: [registry],
  });
  const seen = <T>(operation: string, outcome: T): T => {
    operations.inc({ operation });
    return outcome;
  };
  return {
    get: (collection, ids, options) => seen('get', documents.get(collection, ids, options)),
    versions: (collection, ids, options) => seen('versions', documents.versions(collection, ids, options)),
    find: (collection, query) => seen('find', documents.find(collection, query)),
    count: (collection, query) => seen('count', documents.count(collection, query)),
    scan: (collection, options) => seen('scan', documents.scan(collection, options)),
    now: () => documents.now(),
  };
}
