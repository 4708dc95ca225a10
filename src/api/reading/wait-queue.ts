import type { Clock } from '../../platform/time/clock.ts';

/** Requests that wait for a place, first come first. The one that leaves hands its place over, so none overtakes. */
export class WaitQueue {
  readonly #takers = new Set<() => void>();

  /** Waits for a place. False where none was handed over within `ms`. */
  async wait(clock: Clock, ms: number): Promise<boolean> {
    const done = new AbortController();
    let isHandedOver = false;
    const take = (): void => {
      isHandedOver = true;
      done.abort();
    };
    this.#takers.add(take);
    await clock.sleep(ms, done.signal);
    this.#takers.delete(take);
    return isHandedOver;
  }

  /** Gives a place to the first one. False where nobody waits. */
  handOver(): boolean {
    const [next] = this.#takers;
    if (!next) return false;
    this.#takers.delete(next);
    next();
    return true;
  }
}
