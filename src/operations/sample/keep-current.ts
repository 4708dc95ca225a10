import type { Parts } from '../../compose/parts.ts';
import { PROBES } from '../../events/monitor-events.ts';
import { messageOf } from '../../platform/errors.ts';
import { unixMs } from '../../platform/time/instant.ts';
import { waitFor } from '../../projecting/inspect/lane-progress.ts';
import { HISTORY_ROUNDS, historyProbes, sampleProbes } from '../../sample/sample.ts';
import { lastRoundBy, ROUND_MS, ROUNDS_A_DAY } from '../../sample/targets.ts';
import { appendEvents, changeSample, readSample } from './publish.ts';

/** Probes that are appended while the service already answers. Small batches: requests have their turn in between. */
const BATCH = 250;

/** The most rounds that are filled in after the service was down: two days. */
const MISSED_ROUNDS = 2 * ROUNDS_A_DAY;

/** How long after its end a round is appended. It counts 15 seconds after. */
const AFTER_ROUND_MS = 2000;

/** After a failure of a store, a day is tried again so much later. */
const AFTER_FAILURE_MS = 30_000;

/**
 * Keeps the sample alive beside the service, until its owner or the signal stops it: one generated round of probes a minute
 * where CATALOG_SAMPLE is on, and, while they are missing, the rest of 90 days of probes. The one does not wait for the
 * other: a round that came late would be shown as the platform's silence.
 */
export function keepSample(parts: Parts, stop: AbortSignal): AsyncDisposable {
  const { clock, config, logger } = parts;
  const stopping = new AbortController();
  const signal = AbortSignal.any([stop, stopping.signal]);
  /** Each step says after how many milliseconds the next one follows; null after the last one. */
  const repeated = async (failedMs: () => number, step: () => Promise<number | null>): Promise<void> => {
    for (let pauseMs: number | null = 0; pauseMs !== null && !signal.aborted;) {
      try {
        pauseMs = await step();
      } catch (thrown) {
        if (signal.aborted) return;
        logger.warn({ reason: messageOf(thrown) }, 'a part of the sample waits');
        pauseMs = failedMs();
      }
      if (pauseMs !== null && pauseMs > 0) await clock.sleep(pauseMs, signal);
    }
  };
  const untilNextRound = (): number => ROUND_MS - ((clock.now() - AFTER_ROUND_MS) % ROUND_MS);
  const rounds = repeated(untilNextRound, async () => {
    if (config.sample !== 'on') return null;
    await appendDueRounds(parts, signal);
    return untilNextRound();
  });
  const days = repeated(
    () => AFTER_FAILURE_MS,
    async () => ((await appendDay(parts, signal)) ? 0 : null),
  );
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await Promise.all([rounds, days]);
    },
  };
}

/**
 * Appends the rounds that have ended and are not in the log yet, also those that were missed while nothing ran, so that our
 * own pause is never shown as the platform's silence. A round that is appended twice, by two processes or by one that died
 * before it had said so, consists of duplicates.
 * @throws {RetryableError | PermanentError} of the stores; what was due stays due.
 */
export async function appendDueRounds(parts: Parts, signal: AbortSignal): Promise<void> {
  const sample = await readSample(parts.documents);
  const last = lastRoundBy(parts.clock.now());
  if (!sample?.appended || last <= sample.through) return;
  const first = Math.max(sample.through + 1, last - MISSED_ROUNDS + 1);
  if (!(await appendEvents(parts, sampleProbes({ first, last }), { batch: BATCH, signal }))) return;
  await changeSample(
    parts.documents,
    (state) => state && { ...state, through: Math.max(state.through, last) },
  );
}

/**
 * Appends the newest day that is missing, and waits until it has been projected, so that neither the first start nor a
 * request waits for it. False where none is missing. How far it has come is kept, and the next start goes on from there. A
 * day that two processes append, or one that dies, consists of duplicates.
 * @throws {RetryableError | PermanentError} of the stores; the day stays missing.
 */
export async function appendDay(parts: Parts, signal: AbortSignal): Promise<boolean> {
  const { documents, log, clock, topicName } = parts;
  const sample = await readSample(documents);
  if (!sample?.appended) return false;
  const goal = lastRoundBy(unixMs(sample.end)) - HISTORY_ROUNDS + 1;
  // What an older release has kept says nothing of it: its days are there.
  if (!(sample.from > goal)) return false;
  const first = Math.max(goal, sample.from - ROUNDS_A_DAY);
  const probes = historyProbes({ first, last: sample.from - 1 });
  if (!(await appendEvents(parts, probes, { batch: BATCH, signal }))) return true;
  await changeSample(documents, (state) => state && { ...state, from: Math.min(state.from, first) });
  const topic = topicName(PROBES);
  const ends = await log.ends(topic);
  const places = ends.map(({ partition, latest }) => ({ topic, partition, position: latest - 1 }));
  await waitFor(parts, places, { clock, signal });
  return true;
}
