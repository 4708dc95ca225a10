import type { Documents, Stored } from '../../stores/documents/port.ts';
import { entryDigest, type Content, type Search } from '../../stores/search/port.ts';
import { entryOf } from '../engine/outbox.ts';
import { collectionOf, type Projection } from '../engine/projection.ts';
import { indexToFeed } from './feeding.ts';
import { SHOWN, type Shown } from './shown.ts';

/** Some documents beside what the index holds of them. */
interface Compared {
  readonly documents: readonly Stored<Shown>[];
  /** How many entries the index has there: between the documents before these and the last of these. */
  readonly held: number;
  readonly differing: readonly Difference[];
  /** Ids in the index that no document has. */
  readonly strays: readonly string[];
}

export interface Difference {
  readonly stored: Stored<Shown>;
  /** Digests of the entry as it should be and as it is; null where there is none. */
  readonly wanted: string | null;
  readonly held: string | null;
}

/**
 * Documents and index side by side, both by id, a batch at a time with nothing kept of either. Not a snapshot: what
 * changes meanwhile may look like a difference.
 */
export async function* compareIndex(
  projection: Projection,
  { documents, search }: { readonly documents: Documents; readonly search: Search },
): AsyncGenerator<Compared, void> {
  const contents = reading(search.contents(indexToFeed(projection)));
  try {
    for await (const batch of documents.scan<Shown>(collectionOf(projection), SHOWN)) {
      yield compare(projection, batch, await contents.upTo(batch.at(-1)?.id ?? ''));
    }
    for (let rest = await contents.page(); rest.length > 0; rest = await contents.page()) {
      yield compare(projection, [], rest);
    }
  } finally {
    await contents.close();
  }
}

/** The digest of the entry that the index should hold; null for none. What the engine refuses should not be there. */
export function wantedOf(projection: Projection, stored: Stored<Shown>): string | null {
  if (stored.body.dirty?.mark === 'refused') return null;
  const entry = entryOf(projection, stored);
  return entry && entryDigest(entry);
}

function compare(
  projection: Projection,
  documents: readonly Stored<Shown>[],
  contents: readonly Content[],
): Compared {
  const left = new Map(contents.map(({ id, digest }) => [id, digest]));
  const differing: Difference[] = [];
  for (const stored of documents) {
    const wanted = wantedOf(projection, stored);
    const held = left.get(stored.id) ?? null;
    left.delete(stored.id);
    if (wanted !== held) differing.push({ stored, wanted, held });
  }
  return { documents, held: contents.length, differing, strays: [...left.keys()] };
}

/** What is left of the contents of an index. */
function reading(contents: AsyncIterable<readonly Content[]>) {
  const batches = contents[Symbol.asyncIterator]();
  let ahead: readonly Content[] = [];
  /** The next of them, as the engine hands them out; empty at the end. */
  const page = async (): Promise<readonly Content[]> => {
    const taken = ahead;
    ahead = [];
    if (taken.length > 0) return taken;
    const next = await batches.next();
    return next.done === true ? [] : next.value;
  };
  return {
    page,
    /** All of them up to this id. */
    upTo: async (last: string): Promise<readonly Content[]> => {
      const taken: Content[] = [];
      for (let some = await page(); some.length > 0; some = await page()) {
        // Ids in an index are ASCII, so that this is their order among any others.
        ahead = some.filter(({ id }) => id > last);
        taken.push(...some.filter(({ id }) => id <= last));
        if (ahead.length > 0) break;
      }
      return taken;
    },
    close: async (): Promise<void> => {
      await batches.return?.();
    },
  };
}
