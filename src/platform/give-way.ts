/** For so long a thread computes before others have their turn, in milliseconds. */
const PIECE_MS = 0.5;
/** Any sleep hands the processor over; it lasts as long as the timers of the system make it, some 0.06 ms. */
const REST_MS = 0.001;

const nothing = new Int32Array(new SharedArrayBuffer(4));

/**
 * Lets threads that wait for this processor have it. To be called often during a long synchronous computation of a thread that has stepped
 * back; it blocks the thread for a moment every 0.5 ms. Priorities do not do that: a scheduler leaves a processor to the
 * thread that has just got it, however far it stands back (Linux: for a slice, and then up to the next tick, 4 ms),
 * but not to one that sleeps.
 */
export const giveWay = createGiveWay();

export function createGiveWay(): () => void {
  let restedAt = 0;
  return () => {
    if (performance.now() - restedAt < PIECE_MS) return;
    Atomics.wait(nothing, 0, 0, REST_MS);
    restedAt = performance.now();
  };
}
