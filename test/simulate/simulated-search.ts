import { RetryableError, PermanentError } from '../../src/platform/errors.ts';
import { entryDigest, type Applied, type Search, type SearchEntry } from '../../src/stores/search/port.ts';
import type { Worker } from './worker.ts';
import type { Process, World } from './world.ts';

/** The indexes, as the digests of their entries by id, and the way there. */
export interface SharedSearch {
  readonly indexes: Map<string, Map<string, string>>;
  /** Their seals. */
  readonly seals: Map<string, Set<string>>;
  /** Those whose entries have changed since they were last given another content version. */
  readonly unannounced: Set<string>;
  /** All content versions that there ever were. */
  readonly versions: Set<string>;
  /** Carries requests that land after their callers have given up. */
  readonly network: Process;
  /** How likely such a request is. */
  lateness: number;
  /** Called with each entry that is put or removed. */
  readonly onChange: (index: string, id: string) => void;
}

/** The text of a note that the engine refuses. */
export const UNSEARCHABLE = 'unsearchable';

/** How long a request can be under way, as an adapter's own timeout has it. Simulated milliseconds. */
export const LIFETIME_MS = 8000;
/** How likely it is to take its time. */
const SLOWNESS = 0.2;

export function createSearch(onChange: SharedSearch['onChange']): SharedSearch {
  const network = { name: 'network', isDead: false, pausedUntil: 0 };
  return {
    indexes: new Map(),
    seals: new Map(),
    unannounced: new Set(),
    versions: new Set(),
    network,
    lateness: 0,
    onChange,
  };
}

/** The shared engine through one worker's connection: the part of the port that feeding uses. */
export function connectSearch(shared: SharedSearch, worker: Worker): Search {
  const { world } = worker;

  /** A change is slow, refused, cut, left unanswered, or comes late; `apply` is told which part of it to do. */
  function change(what: string, apply: (isSpared: () => boolean) => Applied): Promise<Applied> {
    const calledAt = world.now();
    if (world.chance(shared.lateness)) {
      world.happen(`${what} late`);
      world.later(shared.network, what, LIFETIME_MS * (0.5 + world.random() / 2), () =>
        ignoringLoss(() => apply(() => false)),
      );
      return worker.call(`${what} given up`, () => {
        throw new RetryableError('timed out');
      });
    }
    return worker.call(
      what,
      (extent) => {
        if (world.now() - calledAt > LIFETIME_MS) throw new RetryableError('timed out');
        return apply(() => extent === 'part' && world.chance(0.5));
      },
      world.chance(SLOWNESS) ? LIFETIME_MS * world.random() : 0,
    );
  }

  return {
    declare: (index) =>
      worker.call('declare index', () => {
        if (shared.indexes.has(index)) return;
        shared.indexes.set(index, new Map());
        shared.seals.set(index, new Set());
      }),
    put: (index, entries) => {
      const sent = entries.map(noted);
      return change('put', (isSpared) => {
        const held = shared.indexes.get(index);
        if (!held) throw new RetryableError('there is no such index');
        const isRefused = sent.some(({ isUnsearchable }) => isUnsearchable);
        for (const { id, digest, isUnsearchable } of sent) {
          if (isUnsearchable || isSpared() || (isRefused && world.chance(0.5))) continue;
          if (held.get(id) !== digest) shared.unannounced.add(index);
          held.set(id, digest);
          shared.onChange(index, id);
        }
        return isRefused ? { outcome: 'failed', reason: 'it is unsearchable' } : { outcome: 'done' };
      });
    },
    remove: (index, ids) => {
      const sent = [...ids];
      return change('remove', (isSpared) => {
        for (const id of sent) {
          if (isSpared()) continue;
          if (shared.indexes.get(index)?.delete(id)) shared.unannounced.add(index);
          shared.onChange(index, id);
        }
        return { outcome: 'done' };
      });
    },
    seal: async (index, seal, without) => {
      await change('seal', (isSpared) => {
        const seals = shared.seals.get(index);
        if (!seals) throw new RetryableError('there is no such index');
        for (const old of without) if (!isSpared()) seals.delete(old);
        if (!isSpared()) seals.add(seal);
        return { outcome: 'done' };
      });
    },
    seals: (index) =>
      worker.call('seals', () => {
        const seals = shared.seals.get(index);
        return seals ? [...seals].sort() : null;
      }),
    contents: async function* (index) {
      const ids = await worker.call('contents', () => [...(shared.indexes.get(index)?.keys() ?? [])].sort());
      for (const id of ids) {
        const digest = await worker.call('contents', () => shared.indexes.get(index)?.get(id));
        if (digest !== undefined) yield [{ id, digest }];
      }
    },
    indexes: () => worker.call('indexes', () => [...shared.indexes.keys()].sort()),
    query: () => notSimulated(),
    drop: (index) =>
      worker.call('drop index', () => {
        shared.indexes.delete(index);
        shared.seals.delete(index);
      }),
    check: () => notSimulated(),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** What befalls an index behind everybody's back. */
export function loseFromIndex(
  { indexes, seals }: SharedSearch,
  world: World,
  what: 'index lost' | 'index emptied',
): void {
  for (const [index, held] of indexes) {
    if (what === 'index lost' || world.chance(0.5)) seals.get(index)?.clear();
    if (what === 'index lost') seals.delete(index);
    if (what === 'index lost') indexes.delete(index);
    else for (const id of held.keys()) if (world.chance(0.7)) held.delete(id);
  }
}

function noted(entry: SearchEntry) {
  return { id: entry.id, digest: entryDigest(entry), isUnsearchable: entry.names.includes(UNSEARCHABLE) };
}

/** A request that finds no index any more has nobody to tell. */
function ignoringLoss(apply: () => unknown): void {
  try {
    apply();
  } catch (thrown) {
    if (!(thrown instanceof RetryableError)) throw thrown;
  }
}

function notSimulated(): never {
  throw new PermanentError('not simulated');
}
