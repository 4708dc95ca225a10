import type { Clock } from '../../platform/time/clock.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { ALIASES, endOverduePause, readAlias, type LiveAlias } from '../../stores/aliases.ts';
import { parseBuildName } from '../../stores/build-names.ts';
import { type BuildGate, createSerialQueue } from '../engine/lane-context.ts';

export interface AliasWatchParts {
  readonly documents: Documents;
  /** The names of the read models. */
  readonly names: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
  /** Told of all aliases when one has changed, not while it is still busy with the change before. */
  readonly onChange: (aliases: readonly LiveAlias[]) => Promise<void>;
}

/** How often the aliases' versions are read, in milliseconds: all of them at once. */
const LOOK_MS = 500;
/** The same while a pause stands: somebody waits for the lanes to be quiet, and readers for the end of it. */
const PAUSED_LOOK_MS = 100;

/** What a worker knows of the aliases: which builds there are, which are live, and which are to be quiet. */
export function createAliasWatch(parts: AliasWatchParts) {
  const { documents, names, clock, logger, onChange } = parts;
  const known = new Map<string, LiveAlias>();
  const stopping = new AbortController();
  const { signal } = stopping;
  const reads = createSerialQueue();
  let running: Promise<void> = Promise.resolve();
  let telling: Promise<void> | null = null;
  let hasNews = false;
  const listeners = new Set<{ readonly build: string; readonly listener: () => void }>();
  /** Whether the last look has failed: that is said once. */
  let isBlind = false;

  async function lookAll(): Promise<void> {
    const versions = await documents.versions(ALIASES.name, names);
    for (const name of names) if (versions.get(name) !== known.get(name)?.token) await take(name);
    for (const [name, alias] of known) if (alias.pause) await endOverdue(name);
    if (hasNews) tell();
  }

  /** One reading after the other: an older answer must not hide a pause that a newer one has shown. */
  function take(name: string): Promise<void> {
    return reads.run(name, async () => {
      const alias = await readAlias(documents, name);
      const before = known.get(name);
      if (alias?.token === before?.token) return;
      if (alias) known.set(name, alias);
      hasNews = true;
      if (alias?.pause && alias.pause.token !== before?.pause?.token)
        for (const { build, listener } of listeners) if (alias.pause.builds.includes(build)) listener();
    });
  }

  /** Whoever paused it was killed, or has taken too long: its switch fails on the alias that is written here. */
  async function endOverdue(name: string): Promise<void> {
    const ended = await endOverduePause(documents, name);
    if (!ended) return;
    await take(name);
    // After a switch it is to run out: it holds what was live before, and who ends it first is all the same.
    if (ended.builds.includes(known.get(name)?.collection ?? ''))
      logger.warn({ readModel: name, owner: ended.owner }, 'a pause was not ended by its owner');
  }

  function tell(): void {
    if (telling) return;
    hasNews = false;
    telling = onChange([...known.values()])
      .catch((thrown: unknown) => {
        hasNews = true;
        logger.warn({ reason: messageOf(thrown) }, 'a change of builds could not be followed; tried again');
      })
      .finally(() => (telling = null));
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const isPaused = [...known.values()].some(({ pause }) => pause !== null);
      await clock.sleep(isPaused ? PAUSED_LOOK_MS : LOOK_MS, signal);
      if (signal.aborted) return;
      try {
        await lookAll();
        isBlind = false;
      } catch (thrown) {
        if (!isBlind) logger.warn({ reason: messageOf(thrown) }, 'the aliases cannot be read');
        isBlind = true;
      }
    }
  }

  function aliasOf(build: string): LiveAlias | undefined {
    return known.get(parseBuildName(build)?.name ?? '');
  }

  return {
    /** Reads every alias, and goes on looking. Rejects where the first reading fails. */
    start: async () => {
      for (const name of names) await take(name);
      hasNews = false;
      await onChange([...known.values()]);
      running = run();
    },
    isLive: (build) => aliasOf(build)?.collection === build,
    pauseOf: (build) => {
      const pause = aliasOf(build)?.pause;
      return pause?.builds.includes(build) ? pause.token : null;
    },
    look: async (build) => {
      const name = parseBuildName(build)?.name;
      if (name !== undefined && names.includes(name)) await take(name);
    },
    onPause: (build, listener, over) => {
      const one = { build, listener };
      listeners.add(one);
      over.addEventListener('abort', () => listeners.delete(one));
    },
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await running;
      await telling;
    },
  } satisfies BuildGate & AsyncDisposable & { readonly start: () => Promise<void> };
}
