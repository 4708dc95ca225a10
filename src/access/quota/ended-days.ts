import { messageOf } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { changeDocument } from '../../stores/documents/change-document.ts';
import type { CollectionSpec, Documents } from '../../stores/documents/port.ts';
import { QUOTA, type QuotaDay } from './quota-day-document.ts';

/**
 * How old counts go, without a clock that could be wrong: one document lists the days that were counted, and the counts of a
 * day are removed when so many later days stand in it. From then on there are always so many later ones. So the day is
 * over, and nothing is counted on it again, whatever the store's clock says.
 */
export const DAYS_KEPT = 35;

export const DAYS: CollectionSpec = { name: 'quota-days', indexes: [] };

interface CountedDays {
  /** Newest first; of the oldest ones nobody needs to know more than that they are over. */
  readonly days: readonly string[];
}

const COUNTED = 'counted';
const LISTED = 2 * DAYS_KEPT;

/** How long the list is relied on, in milliseconds. */
const RELIED_ON_MS = 60_000;

export type Days = ReturnType<typeof createDays>;

export function createDays(
  documents: Documents,
  clock: Pick<Clock, 'monotonic'>,
  logger: Logger | undefined,
) {
  let listed: readonly string[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  let sweeping: Promise<void> = Promise.resolve();

  return {
    /** Lists the day, to be called before anything is counted on it. Whether it is over: then nothing may be. */
    async enter(day: string): Promise<boolean> {
      if (!isDecided(day, listed) || clock.monotonic() - readAt > RELIED_ON_MS) await list(day);
      return isOver(day, listed);
    },

    /** Waits for what is being removed. */
    [Symbol.asyncDispose]: () => sweeping,
  };

  async function list(day: string): Promise<void> {
    const at = clock.monotonic();
    let found: readonly string[] = [];
    const written = await changeDocument<CountedDays>(documents, DAYS.name, COUNTED, (stored) => {
      found = stored?.body.days ?? [];
      if (isDecided(day, found)) return null;
      return { days: [...found, day].sort().toReversed().slice(0, LISTED) };
    });
    [listed, readAt] = [written?.body.days ?? found, at];
    // Nobody had counted on this day before.
    if (written) sweeping = sweeping.then(sweep);
  }

  /** Removes what was counted on days that are over, in the background: what fails is left for the next day. */
  async function sweep(): Promise<void> {
    try {
      // Ids begin with the day: the oldest come first.
      for await (const batch of documents.scan<Pick<QuotaDay, 'day'>>(QUOTA.name, { keys: ['day'] })) {
        const old = batch.filter(({ body }) => isOver(body.day, listed));
        const removals = old.map(({ id, version }) => ({ id, read: version }));
        if (removals.length > 0) await documents.remove(QUOTA.name, removals);
        if (old.length < batch.length) return;
      }
    } catch (thrown) {
      logger?.warn({ reason: messageOf(thrown) }, 'old quota documents were not removed');
    }
  }
}

/** Whether nobody has to list the day any more. */
function isDecided(day: string, days: readonly string[]): boolean {
  return days.includes(day) || isOver(day, days);
}

function isOver(day: string, days: readonly string[]): boolean {
  return days.filter((other) => other > day).length >= DAYS_KEPT;
}
