import { messageOf } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import { LAGS, sayLags } from '../../stores/lag.ts';
import { lagAge, type LaneProgress, type ProgressParts } from './progress.ts';
import { collectionOf } from '../engine/projection.ts';

/**
 * Tells the processes that serve how far each read model is behind the log (src/stores/lag.ts). Any number of projectors report,
 * each of them for all lanes, also those of others. A halted lane is behind like any other.
 */
interface LagReport extends Disposable {
  /**
   * Takes what a look has found. Returns at once and never throws: what fails is logged, and made good by the next look.
   * Lanes that come while a report is being written are passed over.
   */
  take(lanes: readonly LaneProgress[], times: LookTimes): void;
}

/** By the clock of the documents store. */
interface LookTimes {
  /** When the look began. */
  readonly at: number;
  readonly now: number;
}

export interface LagReportParts extends Pick<ProgressParts, 'log' | 'documents' | 'projections'> {
  readonly logger: Logger;
}

/** A little less than the time between two looks, so that each look of a lone projector is reported. */
const INTERVAL_MS = 2500;

export function createLagReport(parts: LagReportParts): LagReport {
  const { log, documents, logger } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  let isDeclared = false;
  let isReporting = false;

  return {
    take(lanes, times) {
      if (isReporting || signal.aborted) return;
      isReporting = true;
      void report(lanes, times)
        .catch((thrown: unknown) => {
          if (!signal.aborted) logger.warn({ reason: messageOf(thrown) }, 'the lag could not be reported');
        })
        .finally(() => (isReporting = false));
    },
    [Symbol.dispose]: () => stopping.abort(),
  };

  async function report(lanes: readonly LaneProgress[], { at, now }: LookTimes): Promise<void> {
    if (!isDeclared) await documents.declare(LAGS);
    isDeclared = true;
    await sayLags(documents, parts.projections.map(collectionOf), {
      at,
      notWithinMs: INTERVAL_MS,
      measure: (build) =>
        oldestOf(
          lanes.filter(({ readModel }) => readModel === build),
          now,
        ),
    });
  }

  async function oldestOf(lanes: readonly LaneProgress[], now: number): Promise<number> {
    const ages: number[] = [];
    for (const lane of lanes) ages.push((await lagAge(log, lane, now, signal)) ?? ageOfNothing(lane, now));
    return Math.max(0, ...ages);
  }

  /** What a halted lane has not read may be gone from the log: nobody knows since when it is behind. */
  function ageOfNothing({ halted }: LaneProgress, now: number): number {
    return halted ? now : 0;
  }
}
