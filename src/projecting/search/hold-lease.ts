import { isFresh } from '../../platform/time/clock.ts';
import { messageOf } from '../../platform/errors.ts';
import type { FeedLeaseOutcome } from '../../stores/feed-lease.ts';
import type { Due, FeedContext } from './feed-context.ts';
import { LeaseLost } from './seals.ts';

export interface KeptLease extends Pick<FeedContext, 'clock' | 'freshMs' | 'index' | 'logger'> {
  /** When the lease is to be prolonged; `prolong` sets when next. */
  readonly renewal: Due;
  /** Renews it, and takes it from nobody: who has had it meanwhile may have changed what the turn believes of the index. */
  readonly prolong: () => Promise<FeedLeaseOutcome>;
}

/** The pause before a lease that could not be prolonged beside a turn is tried again. */
const AGAIN_MS = 500;
/** Given, because the reason that a controller makes by itself takes the stack. */
const OVER = 'over';

/**
 * The outcome of a turn. Where it takes long, the lease is prolonged beside it. Throws what the turn throws.
 * @throws {LeaseLost} where the lease was another's meanwhile: what the turn knows of the index may no longer be so.
 */
export async function withLease<T>(kept: KeptLease, turn: () => Promise<T>): Promise<T> {
  const over = new AbortController();
  const keeping = keep(kept, over.signal);
  const [worked] = await Promise.allSettled([turn().finally(() => over.abort(OVER))]);
  const isKept = await keeping;
  const cause = worked.status === 'rejected' ? (worked.reason as unknown) : undefined;
  // A turn that ends with its seal may have noticed by itself.
  if (cause instanceof LeaseLost) throw cause;
  if (!isKept) throw new LeaseLost(`another process had the lease of ${kept.index}`, { cause });
  if (worked.status === 'rejected') throw cause;
  return worked.value;
}

/**
 * Prolongs the lease until `over` is aborted, but for no longer than what was read at first may be sent: whoever hangs lets
 * others have the index. False where it was another's meanwhile.
 */
async function keep({ clock, freshMs, index, logger, renewal, prolong }: KeptLease, over: AbortSignal) {
  for (const began = clock.monotonic(); ;) {
    await clock.sleep(Math.max(1, renewal.left()), over);
    if (over.aborted || !isFresh(began, clock.monotonic(), freshMs)) return true;
    if (!renewal.isDue()) continue;
    try {
      const leased = await prolong();
      if (leased.outcome === 'taken') {
        renewal.in(0);
        return false;
      }
    } catch (thrown) {
      // What fails between turns, too, is told.
      logger.debug({ index, reason: messageOf(thrown) }, 'the search lease was not prolonged');
      renewal.in(AGAIN_MS);
    }
  }
}
