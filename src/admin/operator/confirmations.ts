import { randomUUID } from 'node:crypto';

import type { Act } from '../../operating/acts.ts';
import type { Prospect } from '../../operating/prospect.ts';
import type { Clock } from '../../platform/clock.ts';

/**
 * What was shown to be confirmed. The token that stands for it is good for one time: a form that is sent twice does nothing
 * the second time, and what a form asks for is what was shown, whatever else it says.
 *
 *   absent --shown--> offered --its form is sent--> absent
 *   offered --ten minutes, or many others shown since--> absent
 */
export interface Confirmations {
  offer(shown: Confirmed): string;
  /** null where it was never offered, was taken before, or is too old. */
  take(token: string): Confirmed | null;
}

export interface Confirmed {
  readonly act: Act;
  readonly prospect: Prospect;
}

const OFFERED_MS = 600_000;
/** Offered at once. */
const OFFERED = 50;

export function createConfirmations(clock: Pick<Clock, 'monotonic'>): Confirmations {
  const offered = new Map<string, Confirmed & { readonly endsAt: number }>();
  return {
    offer(shown) {
      const token = randomUUID();
      const [oldest] = offered.keys();
      if (offered.size >= OFFERED && oldest !== undefined) offered.delete(oldest);
      offered.set(token, { ...shown, endsAt: clock.monotonic() + OFFERED_MS });
      return token;
    },
    take(token) {
      const found = offered.get(token);
      offered.delete(token);
      return found && clock.monotonic() < found.endsAt ? found : null;
    },
  };
}
