import { isSettled, newCounter, type Counter } from './local-counter.ts';

/**
 * The counters that a process knows. Where there are more than `most`, those of earlier days go, and then those that were made
 * longest ago: a few with each new one, so that no request waits for all of yesterday's. One of which something is held, or not
 * stored yet, or that is being counted, stays.
 */
export function createRememberedCounters(most: number, isBeingCounted: (counter: Counter) => boolean) {
  /** By day and place. */
  const days = new Map<string, Map<string, Counter>>();
  /** With each so many new ones, twice as many are looked at: so there are less again after a time when many had to stay. */
  const atOnce = Math.ceil(most / 1000);
  /** Beyond so many some are forgotten. */
  let bound = most;

  return {
    /** By the id of its document. */
    get: (id: string): Counter | undefined => days.get(id.slice(0, 10))?.get(id.slice(11)),
    has: (counter: Counter): boolean => days.get(counter.day)?.get(counter.place) === counter,
    /** The one that is known, or a new one. */
    of: (place: string, day: string): Counter => days.get(day)?.get(place) ?? add(newCounter(place, day)),
  };

  function add(counter: Counter): Counter {
    const { place, day } = counter;
    if (size() >= bound) forget();
    days.getOrInsertComputed(day, () => new Map()).set(place, counter);
    return counter;
  }

  function forget(): void {
    const aim = size() - atOnce;
    for (const [day, ofDay] of [...days].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
      if (size() <= aim) break;
      for (const [place, counter] of ofDay.entries().take(2 * atOnce)) {
        ofDay.delete(place);
        // It goes to the end.
        if (!isSettled(counter) || isBeingCounted(counter)) ofDay.set(place, counter);
      }
      if (ofDay.size === 0) days.delete(day);
    }
    bound = Math.max(most, size() + atOnce);
  }

  function size(): number {
    return days.values().reduce((sum, ofDay) => sum + ofDay.size, 0);
  }
}
