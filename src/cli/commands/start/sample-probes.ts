import type { Parts } from '../../../compose/parts.ts';
import { PROBES } from '../../../events/monitor.ts';
import { messageOf } from '../../../platform/errors.ts';
import { unixMs } from '../../../platform/instant.ts';
import { waitFor } from '../../../projecting/inspect/progress.ts';
import { lastRoundBy, ROUND_MS, ROUNDS_A_DAY } from '../../../sample/targets.ts';
import { HISTORY_ROUNDS, historyProbes, SAMPLE_ROUNDS, sampleProbes } from '../../../sample/sample.ts';
import {
  appendEvents,
  readHistory,
  readSample,
  writeHistory,
  writeSample,
  type SampleState,
} from './sample-state.ts';

/** Probes that are appended while the service already answers. Small batches: requests have their turn in between. */
const BATCH = 250;

/** Does one step after the other, each after a pause, until its owner or the signal stops it, or no pause is named. */
function inBackground(
  stop: AbortSignal,
  { clock }: Parts,
  step: (signal: AbortSignal) => Promise<number | null>,
): AsyncDisposable {
  const stopping = new AbortController();
  const signal = AbortSignal.any([stop, stopping.signal]);
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const pauseMs = await step(signal);
      if (pauseMs === null) return;
      if (pauseMs > 0) await clock.sleep(pauseMs, signal);
    }
  };
  const ended = run();
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await ended;
    },
  };
}

/** How long after its end a round is appended. It counts 15 seconds after. */
const AFTER_ROUND_MS = 2000;

/**
 * Keeps the sample alive: one generated round of probes a minute, and at once those that were missed while nothing ran,
 * so that our own pause is never shown as the platform's silence.
 *
 * A process claims rounds before it appends them, and says so when they are there (sample-state.ts). Of two processes
 * one gets the claim. Where it fails or dies, its rounds are claimed again together with the next one; a round that is
 * appended twice consists of duplicates.
 */
export function keepSampleAlive(parts: Parts, signal: AbortSignal): AsyncDisposable {
  const { clock, logger } = parts;
  return inBackground(signal, parts, async (stop) => {
    try {
      await appendDueRounds(parts, stop);
    } catch (thrown) {
      logger.warn({ reason: messageOf(thrown) }, 'a round of the sample waits for the next one');
    }
    return ROUND_MS - ((clock.now() - AFTER_ROUND_MS) % ROUND_MS);
  });
}

/**
 * Appends the rounds that have ended and are not in the log yet.
 * @throws {RetryableError | PermanentError} of the stores; what was due stays due.
 */
export async function appendDueRounds(parts: Parts, signal: AbortSignal): Promise<void> {
  const { documents, clock } = parts;
  const stored = await readSample(documents);
  const due = stored && dueRounds(stored.body, clock.now());
  if (!due) return;
  const claimed = { ...stored.body, claimed: due.last };
  const claim = await writeSample(documents, stored.version, claimed);
  // Another process has claimed them.
  if (claim.outcome === 'conflict') return;
  if (!(await appendEvents(parts, sampleProbes(due), { batch: BATCH, signal }))) return;
  // Where another process has claimed more meanwhile, it appends these once again.
  await writeSample(documents, claim.version, { ...claimed, through: due.last });
}

/** Those between the last one in the log and the last one that has ended; null where that one is claimed already. */
function dueRounds(
  { appended, through, claimed }: SampleState,
  now: number,
): { readonly first: number; readonly last: number } | null {
  const last = lastRoundBy(now);
  if (!appended || last <= claimed) return null;
  return { first: Math.max(through + 1, last - SAMPLE_ROUNDS + 1), last };
}

const AFTER_FAILURE_MS = 30_000;

/**
 * Appends the probes of the 90 days before the sample's last two while readers already look at it: the newest day first,
 * and the next one when that has been projected, so that neither the first start nor a request waits for them. How far it
 * has come is kept, and the next start goes on from there. A day that two processes append, or one that dies, consists of
 * duplicates.
 */
export function fillHistory(parts: Parts, signal: AbortSignal): AsyncDisposable {
  return inBackground(signal, parts, async (stop) => {
    try {
      return (await appendDay(parts, stop)) ? 0 : null;
    } catch (thrown) {
      if (stop.aborted) return null;
      parts.logger.warn({ reason: messageOf(thrown) }, 'a day of the sample waits');
      return AFTER_FAILURE_MS;
    }
  });
}

/**
 * Appends the newest day that is missing, and waits until it has been projected. False where none is missing.
 * @throws {RetryableError | PermanentError} of the stores; the day stays missing.
 */
export async function appendDay(parts: Parts, signal: AbortSignal): Promise<boolean> {
  const { documents, log, clock, topicName } = parts;
  const sample = await readSample(documents);
  if (!sample?.body.appended) return false;
  const last = lastRoundBy(unixMs(sample.body.end));
  const goal = last - HISTORY_ROUNDS + 1;
  const stored = await readHistory(documents);
  const from = stored?.body.from ?? last - SAMPLE_ROUNDS + 1;
  if (from <= goal) return false;
  const first = Math.max(goal, from - ROUNDS_A_DAY);
  const probes = historyProbes({ first, last: from - 1 });
  if (!(await appendEvents(parts, probes, { batch: BATCH, signal }))) return true;
  await writeHistory(documents, stored?.version ?? null, { from: first });
  const topic = topicName(PROBES);
  const ends = await log.ends(topic);
  const places = ends.map(({ partition, latest }) => ({ topic, partition, position: latest - 1 }));
  await waitFor(parts, places, { clock, signal });
  return true;
}
