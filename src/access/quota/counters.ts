import { counterId, isSettled, newCounter, type Counter } from './counter.ts';

/** The counters that this process remembers: one for each place and day, and never two for the same. */
export interface Counters {
  of(place: string, day: string): Counter;
  /** Forgets what was used longest ago, as far as the store has it all. Nobody may hold on to a counter meanwhile. */
  forgetOld(): void;
}

const REMEMBERED = 10_000;

export function createCounters(remembered = REMEMBERED): Counters {
  const counters = new Map<string, Counter>();
  return {
    of(place, day) {
      const id = counterId(place, day);
      const counter = counters.get(id) ?? newCounter(place, day);
      // A map keeps the order of insertion: the last used one is put last.
      counters.delete(id);
      counters.set(id, counter);
      return counter;
    },
    forgetOld() {
      let excess = counters.size - remembered;
      for (const [id, counter] of counters) {
        if (excess <= 0) return;
        excess -= 1;
        if (isSettled(counter)) counters.delete(id);
      }
    },
  };
}
