import { counterId, isSettled, newCounter, type Counter } from './counter.ts';

/** The counters that this process remembers: one for each place and day, and never two for the same. */
export interface Counters {
  of(place: string, day: string): Counter;
  /** The counter of this id, where there is one. */
  find(id: string): Counter | undefined;
  all(): Iterable<Counter>;
  /**
   * Where there are too many, forgets those that were not used lately, as far as the store has it all. Nobody may hold on to
   * a counter meanwhile.
   */
  forgetOld(): void;
}

/** So many that were used last are remembered, and at most twice as many; and those that the store does not have whole. */
const REMEMBERED = 100_000;

/** Two generations: what is used is in the young one, and of the old one what is settled goes as a whole. */
export function createCounters(remembered = REMEMBERED): Counters {
  let young = new Map<string, Counter>();
  let old = new Map<string, Counter>();
  /** So many in the young one begin the next. What could not be forgotten is not looked at with every batch. */
  let most = remembered;

  return {
    of(place, day) {
      const id = counterId(place, day);
      const known = young.get(id);
      if (known) return known;
      const counter = old.get(id) ?? newCounter(place, day);
      young.set(id, counter);
      return counter;
    },
    find: (id) => young.get(id) ?? old.get(id),
    all: () => new Set([...young.values(), ...old.values()]),
    forgetOld() {
      if (young.size < most) return;
      const open = [...old].filter(([id, counter]) => !isSettled(counter) && !young.has(id));
      old = young;
      young = new Map(open);
      most = remembered + open.length;
    },
  };
}
