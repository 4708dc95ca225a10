import type { Clock } from '../../platform/clock.ts';

/** When something is to be done next, by a clock that may be put back: then it is due at once, not in an hour. */
export interface Due {
  isDue(): boolean;
  /** Sets it to be due in so many milliseconds. */
  in(ms: number): void;
  /** The same, unless it is due earlier anyway. */
  within(ms: number): void;
}

/** Due at once. */
export function createDue(clock: Clock): Due {
  let setAt = clock.now();
  let delay = 0;
  const left = (): number => {
    const passed = clock.now() - setAt;
    return passed < 0 ? 0 : delay - passed;
  };
  const set = (ms: number): void => {
    setAt = clock.now();
    delay = ms;
  };
  return {
    isDue: () => left() <= 0,
    in: set,
    within: (ms) => set(Math.min(ms, left())),
  };
}
