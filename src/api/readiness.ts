import type { Quota } from '../access/quota/quota.ts';
import { atMostEvery, PROBE_MS } from '../platform/cache/at-most-every.ts';
import type { Clock } from '../platform/time/clock.ts';
import { messageOf } from '../platform/errors.ts';
import { readBuild } from '../stores/builds.ts';
import { isBackfilling } from '../stores/feed-lease.ts';
import type { Aliases } from '../stores/live.ts';
import type { Search } from '../stores/search/port.ts';
import { limitedDocuments, withTimeLimit, type ReadDocuments } from '../stores/time-limit.ts';

/** What `/readyz` says of one side of the API. */
export interface Condition {
  readonly ok: boolean;
  /** It answers all the same, but not everything. */
  readonly degraded?: true;
  /** One line for people. */
  readonly detail: string;
}

export interface ReadinessOptions {
  readonly documents: ReadDocuments;
  readonly live: Pick<Aliases, 'read'>;
  readonly search: Pick<Search, 'query'>;
  readonly quota: Pick<Quota, 'probe'>;
  readonly clock: Clock;
  /** The read models that are served, by name: `listings`. */
  readonly readModels: readonly string[];
  /** How long the calls of a store may take together, in milliseconds. */
  readonly limitMs?: number;
}

/** Whether the API has something right to answer with, and can. None of the two rejects. */
export interface Readiness {
  /**
   * Ready once the live build of every read model has been complete, for as long as the documents do what a request with a
   * key needs: they read a document, and write a count. So a store that takes no writes is not ready.
   */
  documents(): Promise<Condition>;
  /** Always ok: without search, everything else is answered. */
  search(): Promise<Condition>;
}

/** Less than the limit of a check, so that it is said which store it is that does not answer. */
const LIMIT_MS = 1500;

/** No document has it for its id. */
const NOBODY = 'readiness';

export function createReadiness(options: ReadinessOptions): Readiness {
  const { live, search, quota, clock, readModels, limitMs = LIMIT_MS } = options;
  const documents = limitedDocuments(options.documents, limitMs);
  // It writes: more often than this would be a load of its own.
  const count = atMostEvery(PROBE_MS, clock, () => quota.probe());

  async function collectionOf(name: string) {
    const alias = await live.read(name);
    if (!alias) return { missing: `no projector has begun to project ${name}` };
    const { collection } = alias;
    const isComplete = ((await readBuild(documents, collection))?.completed_at ?? null) !== null;
    if (isComplete) {
      await documents.get(collection, [NOBODY]);
      return { collection };
    }
    return { missing: `${collection} has not been complete yet: a projector has to catch up with the log` };
  }

  async function trouble(): Promise<string | null> {
    const index = (await live.read('listings'))?.index ?? null;
    if (index === null) return 'no projector has made an index yet';
    if (await isBackfilling(documents, index)) return `${index} is being filled: until then /search is 503`;
    await search.query(index, { q: 'a', filter: {}, exclude: [], offset: 0, limit: 1 });
    return null;
  }

  return {
    documents: async () => {
      try {
        const found = await withTimeLimit(Promise.all(readModels.map(collectionOf)), limitMs);
        const missing = found.flatMap((one) => one.missing ?? []);
        if (missing.length > 0) return { ok: false, detail: missing.join('; ') };
        await withTimeLimit(count(), limitMs, `A count took longer than ${limitMs} ms to be written`);
        return { ok: true, detail: `serving ${found.map(({ collection }) => collection).join(', ')}` };
      } catch (thrown) {
        return { ok: false, detail: messageOf(thrown) };
      }
    },
    search: async () => {
      try {
        const found = await withTimeLimit(trouble(), limitMs);
        return found === null ? { ok: true, detail: 'answers' } : degraded(found);
      } catch (thrown) {
        return degraded(messageOf(thrown));
      }
    },
  };
}

function degraded(detail: string): Condition {
  return { ok: true, degraded: true, detail };
}
