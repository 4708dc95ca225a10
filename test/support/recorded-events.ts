import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import type { CloudEvent } from '../../src/events/envelope.ts';
import type { CatalogEvent } from '../../src/events/event.ts';
import { canonical, sha256 } from '../../src/platform/canonical.ts';
import type { Json } from '../../src/platform/json.ts';
import type { Projection } from '../../src/projecting/engine/projection.ts';
import { byDocument, fold } from './laws.ts';

const FILE = join(import.meta.dirname, '../folds/events.ndjson.gz');

/** 4,000 events, a half of them as odd as our schemas allow, in the order that they were recorded in. */
export const RECORDED: readonly CloudEvent[] = gunzipSync(readFileSync(FILE))
  .toString()
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as CloudEvent);

/** What a fold makes of events: the documents in the order of their ids, each with registers, view and search entry. */
export function madeOf(
  projection: Projection,
  events: readonly CatalogEvent[],
): { readonly documents: number; readonly digest: string } {
  const documents = [...byDocument(projection, events)]
    .map(([id, ofOne]) => {
      const registers = fold(projection, ofOne);
      const view = projection.view(id, registers);
      return { id, registers, view, entry: projection.searchEntry?.(id, view) ?? null };
    })
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return { documents: documents.length, digest: sha256(canonical(documents as unknown as Json)) };
}
