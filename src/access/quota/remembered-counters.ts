import { forgetFirst } from '../remembered.ts';
import { isSettled, newCounter, type Counter } from './counter.ts';

/**
 * The counters that a process knows. Those of earlier days are forgotten when another one begins; and where there are more
 * than `most`, those go that were made longest ago. One of which something is held, or not stored yet, stays.
 */
export function createRememberedCounters(most: number) {
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
    if (!days.has(day)) begin(day);
    if (size() >= bound) {
      for (const ofDay of days.values()) forgetFirst(ofDay, 2 * atOnce, isOpen);
      bound = Math.max(most, size() + atOnce);
    }
    days.get(day)?.set(place, counter);
    return counter;
  }

  function begin(day: string): void {
    for (const [earlier, ofDay] of days) if (earlier < day) forgetFirst(ofDay, ofDay.size, isOpen);
    days.set(day, new Map());
  }

  function size(): number {
    return days.values().reduce((sum, ofDay) => sum + ofDay.size, 0);
  }
}

function isOpen(counter: Counter): boolean {
  return !isSettled(counter);
}
