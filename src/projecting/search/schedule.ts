import type { Clock } from '../../platform/clock.ts';

/** When something is to be done next, by time that passes: nobody has to care how the machine's clock is set. */
export interface Due {
  isDue(): boolean;
  /** Sets it to be due in so many milliseconds. */
  in(ms: number): void;
}

/** Due at once. */
export function createDue(clock: Pick<Clock, 'monotonic'>): Due {
  let at = clock.monotonic();
  return {
    isDue: () => clock.monotonic() >= at,
    in: (ms) => {
      at = clock.monotonic() + ms;
    },
  };
}
