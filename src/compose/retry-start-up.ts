import type { Health } from '../findings/findings-to-readiness.ts';
import { backoff } from '../platform/time/backoff.ts';
import { AccessRefused, messageOf, PermanentError, RetryableError } from '../platform/errors.ts';
import { StoppedError } from '../projecting/engine/retry.ts';
import type { Parts } from './parts.ts';

/*
 * What a process does before it does what it is there for:
 *
 *   starting --a store cannot be reached--> waiting: pauses, up to 5 s --it answers--> starting --> started
 *   any of them --told to stop--> stopping
 *
 * A failure that waiting does not fix (a folder that may not be written) ends it, and a password that is refused for half a
 * minute.
 */
export type StartUp = ReturnType<typeof createStartUp>;

export type Wait = <T>(what: string, work: () => Promise<T>) => Promise<T>;

/** Fails as soon as the work does. */
export const withoutWaiting: Wait = (_what, work) => work();

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;
/** Between two lines that say the same. */
const SAY_MS = 10_000;
/** A store that refuses the password for so long does not do so because it is starting itself. */
const REFUSED_MS = 30_000;
/** Work that takes less is not worth a line. */
const LONG_MS = 3000;

interface StartingParts extends Pick<Parts, 'clock' | 'logger'> {
  /** Aborted when the process is told to stop. */
  readonly signal: AbortSignal;
  /** From 0 to 1, for the pauses. */
  readonly random?: () => number;
}

export function createStartUp({ clock, logger, signal, random = Math.random }: StartingParts) {
  const began = clock.monotonic();
  let state: string | null = 'starting';

  /**
   * Runs work of the start, again and again while it fails with a `RetryableError`, and says in the log what is waited
   * for: at once, then every ten seconds. Work that takes long without failing (an index that is built) is said too.
   * @throws {StoppedError} where the process was told to stop meanwhile.
   */
  async function wait<T>(what: string, work: () => Promise<T>): Promise<T> {
    let saidAt = Number.NEGATIVE_INFINITY;
    let refusedAt: number | null = null;
    for (let attempt = 1; ; attempt += 1) {
      if (signal.aborted) throw new StoppedError(`${what}: stopped`);
      try {
        if (attempt === 1) state = `starting: ${what}`;
        const result = await sayingSlow(what, work());
        state = 'starting';
        if (attempt > 1) logger.info({ what, attempts: attempt }, 'going on');
        return result;
      } catch (thrown) {
        if (!(thrown instanceof RetryableError)) throw thrown;
        const reason = messageOf(thrown);
        refusedAt = thrown instanceof AccessRefused ? (refusedAt ?? clock.monotonic()) : null;
        if (refusedAt !== null && clock.monotonic() - refusedAt >= REFUSED_MS)
          throw new PermanentError(reason, { cause: thrown });
        state = `waiting: ${what}: ${reason}`;
        if (clock.monotonic() - saidAt >= SAY_MS) {
          saidAt = clock.monotonic();
          logger.warn({ what, attempt, waitedMs: Math.round(saidAt - began), reason }, 'waiting to start');
        }
        await clock.sleep(backoff(attempt, FIRST_PAUSE_MS, LONGEST_PAUSE_MS, random), signal);
      }
    }
  }

  /** Says every ten seconds that the work is still under way. */
  async function sayingSlow<T>(what: string, work: Promise<T>): Promise<T> {
    const over = new AbortController();
    const since = clock.monotonic();
    const say = async (): Promise<void> => {
      for (let pause = LONG_MS; ; pause = SAY_MS) {
        await clock.sleep(pause, over.signal);
        if (over.signal.aborted) return;
        logger.info({ what, tookMs: Math.round(clock.monotonic() - since) }, 'still starting');
      }
    };
    const saying = say();
    try {
      return await work;
    } finally {
      over.abort();
      await saying;
    }
  }

  return {
    wait,
    /** The process does now what it is there for. */
    started: () => {
      state = null;
    },
    /** For `/readyz`: what is waited for. */
    check: (): Health => {
      if (signal.aborted) return { ok: false, detail: 'stopping' };
      return state === null ? { ok: true, detail: 'started' } : { ok: false, detail: state };
    },
  };
}
