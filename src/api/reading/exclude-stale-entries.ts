import { digestOf } from '../../platform/canonical.ts';
import type { Version } from '../../stores/documents/port.ts';
import { removals } from '../../stores/outbox.ts';
import type { EntryFilter, KindAndCategory } from './entry-filter.ts';
import type { PublishedListing } from './listing-queries.ts';
import { createConfirmedValue } from '../../platform/cache/confirmed-value.ts';
import type { CacheOptions } from './document-cache.ts';

interface ExcludedIds {
  readonly ids: readonly string[];
  /** The same for the same ids. */
  readonly digest: string;
}

interface ExclusionsOptions extends Pick<CacheOptions, 'documents' | 'clock' | 'confirmMs'> {
  readonly collection: string;
  readonly published: (ids: readonly string[]) => Promise<ReadonlyMap<string, PublishedListing>>;
}

/** What an entry is, by its version: without the rest of it, so that nothing large is kept. */
interface Contradiction extends KindAndCategory {
  readonly version: Version;
}

/** Contradictions that are known at a time; one that is forgotten for others is found again where it matters. */
const KNOWN = 1000;

/**
 * What queries of an index leave out, because it may still hold it although the documents say otherwise:
 * - removals: all entries whose removal is not confirmed yet, by their marks;
 * - contradictions: hits that a reader found to be gone, or to be of another kind or category than the index has them.
 *   Each is known until its mark tells of it, or its document is written again, which is also how the feed says that the
 *   index has been told. So the next page continues the list of the page before.
 */
export function createExclusions(options: ExclusionsOptions) {
  const { documents, collection, published, clock, confirmMs } = options;
  const contradictions = new Map<string, Contradiction | null>();
  const removed = createConfirmedValue<ExcludedIds>({
    read: readRemovals,
    clock,
    minMs: confirmMs,
    // A store that looks for them among all documents takes a tenth of a second: totals follow within one.
    costFactor: 10,
  });

  return {
    /** What queries of such a list leave out: removals at most `confirmMs` old, or ten times what they cost, and all contradictions. */
    async of(filter: EntryFilter): Promise<ExcludedIds> {
      const excluded = await removed.current();
      if (contradictions.size === 0) return excluded;
      const others = [...contradictions].flatMap(([id, entry]) =>
        entry && filter.matches(entry) ? [] : [id],
      );
      if (others.length === 0) return excluded;
      const { ids, digest } = excluded;
      return { ids: [...ids, ...others], digest: digestOf([digest, ...others]) };
    },

    /** Takes in hits that contradict their documents: the entry as it is now, null where it is not published. */
    contradict(hits: ReadonlyMap<string, PublishedListing | null>): void {
      for (const [id, entry] of hits) contradictions.set(id, entry && contradictionOf(entry));
      for (const id of contradictions.keys()) {
        if (contradictions.size <= KNOWN) return;
        contradictions.delete(id);
      }
    },
  };

  async function readRemovals(previous: ExcludedIds | null): Promise<ExcludedIds> {
    const known = new Map(contradictions);
    const [ids, entries] = await Promise.all([removals(documents, collection), published([...known.keys()])]);
    const marked = new Set(ids);
    for (const [id, entry] of known) {
      const isOutdated = entries.get(id)?.version !== entry?.version || marked.has(id);
      // What has been found meanwhile is newer than what was read.
      if (isOutdated && contradictions.get(id) === entry) contradictions.delete(id);
    }
    const digest = digestOf(ids);
    return previous?.digest === digest ? previous : { ids, digest };
  }
}

function contradictionOf({ version, view }: PublishedListing): Contradiction {
  return { version, kind: view.kind, category: view.category };
}
