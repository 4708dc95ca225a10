import type { Clock } from './clock.ts';

/*
 * Sleeping until something is looked at again, for work that recurs and is not pressed for time. A timer of its own would wake
 * the thread at a moment of its own; rests end together, at the full seconds of the monotonic clock, and those that are
 * shorter than a second at its half seconds. So a process that has nothing to do is woken about once a second, however many
 * things it looks after.
 */

/** Rests end at multiples of this, in milliseconds by the monotonic clock. */
const BEAT_MS = 500;
/** No rest ends later than so long after its time, in milliseconds. */
const LATE_MS = 250;

/** The time from now to the end of a rest of `ms`, in milliseconds; `ms` itself where it is shorter than a beat. */
export function untilBeat(clock: Pick<Clock, 'monotonic'>, ms: number): number {
  if (ms < BEAT_MS) return ms;
  const now = clock.monotonic();
  return beatAfter(now, ms) * BEAT_MS - now;
}

/**
 * The time from now to the next multiple of `ms` on the monotonic clock, in milliseconds: who looks at the same thing every
 * `ms` then looks together with all others who do.
 */
export function untilMultiple(clock: Pick<Clock, 'monotonic'>, ms: number): number {
  return ms - (clock.monotonic() % ms);
}

/** The number of the last beat that is not too late. */
function beatAfter(now: number, ms: number): number {
  const beats = ms < 2 * BEAT_MS ? 1 : 2;
  return Math.floor((now + ms + LATE_MS) / (beats * BEAT_MS)) * beats;
}

/** Resolves after `untilBeat(clock, ms)`, or as soon as `signal` is aborted; never rejects. */
export function rest(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  if (ms < BEAT_MS) return clock.sleep(ms, signal);
  if (signal?.aborted) return Promise.resolve();
  const beats = beatsOf(clock);
  const beat = beatAfter(clock.monotonic(), ms);
  return new Promise((resolve) => {
    const end = (): void => {
      beats.resting.delete(rester);
      signal?.removeEventListener('abort', end);
      resolve();
      // Nobody is kept from ending by a sleep that nobody needs.
      if (beats.resting.size === 0) beats.nap?.over.abort(CALLED_OFF);
    };
    const rester: Rester = { beat, end };
    beats.resting.add(rester);
    signal?.addEventListener('abort', end);
    if (!beats.nap) void sleepThrough(clock, beats);
    else if (beat < beats.nap.beat) beats.nap.over.abort(CALLED_OFF);
  });
}

/** Acts again and again, after a rest of `ms` each time, until `signal` is aborted. What `act` throws ends it. */
export async function recur(clock: Clock, ms: number, signal: AbortSignal, act: () => void): Promise<void> {
  for (;;) {
    await rest(clock, ms, signal);
    if (signal.aborted) return;
    act();
  }
}

interface Rester {
  /** The number of the beat at which it ends. */
  readonly beat: number;
  readonly end: () => void;
}

interface Beats {
  readonly resting: Set<Rester>;
  /** The sleep under way. */
  nap: { readonly beat: number; readonly over: AbortController } | null;
}

/** By the clock that they rest by: a thread has one. */
const BEATS = new WeakMap<Clock, Beats>();

function beatsOf(clock: Clock): Beats {
  const known = BEATS.get(clock);
  if (known) return known;
  const beats: Beats = { resting: new Set(), nap: null };
  BEATS.set(clock, beats);
  return beats;
}

/** Given, because the reason that a controller makes by itself takes the stack. */
const CALLED_OFF = 'called off';

/** Sleeps from beat to beat for as long as anybody rests. */
async function sleepThrough(clock: Clock, beats: Beats): Promise<void> {
  while (beats.resting.size > 0) {
    const beat = Math.min(...[...beats.resting].map((rester) => rester.beat));
    const over = new AbortController();
    beats.nap = { beat, over };
    await clock.sleep(Math.max(0, Math.ceil(beat * BEAT_MS - clock.monotonic())), over.signal);
    beats.nap = null;
    if (over.signal.aborted) continue;
    for (const rester of beats.resting) if (rester.beat <= beat) rester.end();
  }
}
