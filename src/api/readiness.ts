import type { Quota } from '../access/quota/quota.ts';
import { note, problem, type Finding } from '../findings/finding.ts';
import { degraded, healthOf, type Health } from '../findings/findings-to-readiness.ts';
import type { Clock } from '../platform/time/clock.ts';
import { messageOf, PermanentError } from '../platform/errors.ts';
import { readBuild } from '../stores/builds.ts';
import { readFeedLease } from '../stores/feed-lease.ts';
import type { ReadAlias } from '../stores/aliases.ts';
import { UnservableBuild } from '../stores/serving-processes.ts';
import type { Search } from '../stores/search/port.ts';
import {
  createDeadline,
  limitedDocuments,
  withTimeLimit,
  type Deadline,
  type ReadDocuments,
} from '../stores/time-limit.ts';

export interface ReadinessOptions {
  readonly documents: ReadDocuments;
  readonly live: ReadAlias;
  readonly search: Pick<Search, 'query'>;
  readonly quota: Pick<Quota, 'probe' | 'declare'>;
  readonly clock: Clock;
  /** The read models that are served, by name: `listings`. */
  readonly readModels: readonly string[];
  /** How long the calls of a store may take together, in milliseconds. */
  readonly limitMs?: number;
}

export type Readiness = ReturnType<typeof createReadiness>;

/** Less than the limit of a check, so that it is said which store it is that does not answer. */
const LIMIT_MS = 1500;

const NEVER_PROJECTED = problem('all read models', null, { code: 'never_projected' });

/** No document has it for its id. */
const NOBODY = 'readiness';

/** Collections that have gone, because somebody restored others below this process, are declared again. */
async function countNobody(quota: ReadinessOptions['quota']): Promise<void> {
  try {
    await quota.probe();
  } catch (thrown) {
    if (!(thrown instanceof PermanentError)) throw thrown;
    await quota.declare();
    await quota.probe();
  }
}

/** Whether the API has something right to answer with, and can. None of the two rejects. */
export function createReadiness(options: ReadinessOptions) {
  const { live, search, quota, clock, readModels, limitMs = LIMIT_MS } = options;
  const documents = limitedDocuments(options.documents, limitMs);
  // It writes: more often than this would be a load of its own.
  const count = throttle(PROBE_MS, clock, () => countNobody(quota));

  /** The live build of a read model, where it can be served; or why it cannot. */
  async function liveBuild(name: string): Promise<string | Finding> {
    const alias = await live(name);
    if (!alias) return problem(name, null, { code: 'never_complete', is_beside: false });
    const { collection } = alias;
    const build = await readBuild(documents, collection);
    if (!build?.completed_at)
      return problem(collection, build?.began_at ?? null, { code: 'never_complete', is_beside: false });
    await documents.get(collection, [NOBODY]);
    return collection;
  }

  /** The index that can be asked; or why there is none. */
  async function liveIndex(): Promise<string | Finding> {
    const index = (await live('listings'))?.index ?? null;
    if (index === null) return NEVER_PROJECTED;
    const lease = await readFeedLease(documents, index);
    return lease?.seal ? index : note(index, lease?.behind_since ?? null, { code: 'filling' });
  }

  async function ask(index: string, deadline: Deadline): Promise<Health> {
    try {
      const asked = search.query(index, { q: 'a', filter: {}, exclude: [], offset: 0, limit: 1 });
      await deadline.within(asked);
      return { ok: true, detail: 'answers' };
    } catch (thrown) {
      return degraded(failure('search', thrown));
    }
  }

  return {
    /**
     * Ready once the live build of every read model has been complete, for as long as the documents do what a request with a
     * key needs: they read a document, and write a count. So a store that takes no writes is not ready.
     */
    documents: async (): Promise<Health> => {
      try {
        const found = await withTimeLimit(Promise.all(readModels.map(liveBuild)), limitMs);
        const missing = found.filter((one) => typeof one !== 'string');
        const isNew =
          missing.length === readModels.length &&
          missing.every(({ subject }) => readModels.includes(subject));
        if (isNew) return healthOf([NEVER_PROJECTED], '');
        if (missing.length === 0)
          await withTimeLimit(count(), limitMs, `A count took longer than ${limitMs} ms to be written`);
        const builds = found.filter((one) => typeof one === 'string');
        return healthOf(missing, `serving ${builds.join(', ')}`);
      } catch (thrown) {
        return healthOf([failure('documents', thrown)], '');
      }
    },
    /** Always ok: without search, everything else is answered. */
    search: async (): Promise<Health> => {
      const deadline = createDeadline(limitMs);
      try {
        const index = await deadline.within(liveIndex());
        return typeof index === 'string' ? await ask(index, deadline) : degraded(index);
      } catch (thrown) {
        return degraded(failure('documents', thrown));
      }
    },
  };
}

/** Of a store, unless it is this release that does not fit what the store says. */
function failure(store: string, thrown: unknown): Finding {
  return thrown instanceof UnservableBuild
    ? problem(thrown.build, null, { code: 'not_servable' })
    : problem(store, null, { code: 'store_fails', reason: messageOf(thrown) });
}

/**
 * The same work, begun at most every so often, and never twice at a time: whoever asks in between is told what came of it
 * last, or waits for what is under way.
 */
export function throttle(
  ms: number,
  clock: Pick<Clock, 'monotonic'>,
  work: () => Promise<void>,
): () => Promise<void> {
  let latest: Promise<void> | null = null;
  let isUnderWay = false;
  let begunAt = 0;
  return () => {
    const now = clock.monotonic();
    if (latest !== null && (isUnderWay || now - begunAt < ms)) return latest;
    begunAt = now;
    isUnderWay = true;
    latest = work().finally(() => (isUnderWay = false));
    return latest;
  };
}

/** Of what `/readyz` tries in a store, in milliseconds. */
export const PROBE_MS = 5000;
