import { isDeepStrictEqual } from 'node:util';

import { isOld, momentOf } from '../reports-complete-until.ts';
import { newest } from '../target-status.ts';
import { statusOf } from '../status.ts';
import { once } from '../../platform/once.ts';
import { type Timelines, timelinesOf } from '../timelines.ts';
import type { Status } from '../status-schema.ts';
import { PermanentError, RetryableError } from '../../platform/errors.ts';
import { createConfirmedValue } from '../../platform/cache/confirmed-value.ts';
import { withTimeLimit } from '../../stores/time-limit.ts';
import { EMPTY_SNAPSHOT, type MonitorSnapshot, type PollOptions } from './poll-monitor.ts';

export type StatusReader = ReturnType<typeof createStatusReader>;

export interface ShownStatus {
  readonly body: Status;
  /** When it last changed, as far as rounds say: an instant; null where there are none. */
  readonly changedAt: string | null;
  /** Of the components; computed when first asked for. */
  readonly timelines: () => Timelines;
}

interface StatusReaderOptions extends Pick<PollOptions, 'policy' | 'clock' | 'storeLimitMs' | 'logger'> {
  /** Polls the stores. Throws what they throw. */
  readonly poll: () => Promise<MonitorSnapshot>;
  readonly confirmMs: number;
}

/** Polling takes at most a fifth of the time. */
const COST_FACTOR = 4;

/** How long a request waits for a store that has just failed, in milliseconds. */
const IMPATIENT_MS = 250;

/**
 * The monitor's status as of now. A status page must answer when nothing else does, so this never fails because of a
 * store:
 * - reading: what is answered was confirmed within the snapshot's time, as in every other route;
 * - failing, from a poll that failed or took too long until one that succeeds: the last snapshot is answered, `stale`.
 *   Each request still has the stores polled, and waits a moment for it, but not for as long as the store may take.
 */
export function createStatusReader(options: StatusReaderOptions) {
  const { poll, policy, clock, confirmMs, storeLimitMs, logger } = options;
  const snapshot = createConfirmedValue({
    read: poll,
    clock,
    minMs: confirmMs,
    costFactor: COST_FACTOR,
    // It reads all hours that there are, often before the projector has said that it follows: not to be kept for long.
    isFirstDearer: true,
  });
  let last = EMPTY_SNAPSHOT;
  let isFailing = false;
  let shown: { readonly basis: object; readonly status: ShownStatus } | null = null;

  return {
    /** The same object for as long as nothing changes. Waits for the stores no longer than `patienceMs`. */
    async current(patienceMs = storeLimitMs): Promise<ShownStatus> {
      try {
        const polling = snapshot.current();
        const ms = Math.min(patienceMs, isFailing ? IMPATIENT_MS : storeLimitMs);
        last = await withTimeLimit(polling, ms);
        isFailing = false;
      } catch (thrown) {
        if (!isFailing) note(thrown);
        isFailing = true;
      }
      return show(last, isFailing);
    },
  };

  /** Computed again only where something that it depends on has changed: it costs milliseconds. */
  function show({ targets, lagMs, readAt, localAt }: MonitorSnapshot, storesDown: boolean): ShownStatus {
    // The store's clock, and what has passed since it was read.
    const now = readAt + clock.monotonic() - localAt;
    const reading = { lagMs, readAt, storesDown };
    const reported = newest(targets.map((target) => target.reported));
    const moment = momentOf(now, policy, reading);
    const basis = { targets, moment, isOld: isOld(reported, now, policy) };
    if (shown && isDeepStrictEqual(shown.basis, basis)) {
      // Until the next poll its targets are these very objects, which are compared at once.
      shown = { ...shown, basis };
      return shown.status;
    }
    const body = statusOf(targets, now, policy, reading);
    const timelines = once(() => timelinesOf(targets, now, policy, reading));
    shown = { basis, status: { body, changedAt: changeOf(body, now), timelines } };
    return shown.status;
  }

  function note(thrown: unknown): void {
    const isStore = thrown instanceof RetryableError || thrown instanceof PermanentError;
    if (isStore) logger.warn({ err: thrown }, 'the monitor cannot be read: its last known state is shown');
    else logger.error({ err: thrown }, 'a fault of ours: the monitor’s last known state is shown');
  }
}

/** The newest check or change of state, but no later than it was computed: a prober's clock may be ahead. */
function changeOf({ checked_at, since }: Status, now: number): string | null {
  const known = [checked_at, since].flatMap((instant) => (instant === null ? [] : [Date.parse(instant)]));
  return known.length === 0 ? null : new Date(Math.min(now, Math.max(...known))).toISOString();
}
