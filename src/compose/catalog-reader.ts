import { createCatalogReader, type CatalogReader } from '../api/reading/catalog-reader.ts';
import { openAliases } from '../stores/aliases.ts';
import type { Synonyms } from '../stores/search/query/synonyms.ts';
import type { Parts } from './parts.ts';

/** As long as a person waits for one answer; the API gives its callers less. In milliseconds. */
const STORE_LIMIT_MS = 20_000;
const MEMORY_BYTES = 8 * 2 ** 20;

/** What the API answers searches from, for one process that asks a single time. */
export function catalogReaderOf(
  { documents, search, clock }: Parts,
  synonyms: Synonyms | null,
): CatalogReader {
  return createCatalogReader({
    documents,
    search,
    live: openAliases(documents),
    clock,
    confirmMs: 500,
    storeLimitMs: STORE_LIMIT_MS,
    maxBytes: MEMORY_BYTES,
    ...(synonyms === null ? {} : { synonyms }),
  });
}
