import type { Parts } from '../../../compose/parts.ts';
import { PROBES } from '../../../events/monitor.ts';
import { messageOf } from '../../../platform/errors.ts';
import { unixMs } from '../../../platform/instant.ts';
import { waitFor } from '../../../projecting/inspect/progress.ts';
import { lastRoundBy, ROUNDS_A_DAY } from '../../../sample/targets.ts';
import { HISTORY_ROUNDS, historyProbes, SAMPLE_ROUNDS } from '../../../sample/sample.ts';
import { readHistory, readSample, writeHistory } from './sample-state.ts';
import { appendEvents } from './append-events.ts';

/**
 * Appends the probes of the 90 days before the sample's last two, behind the back of whoever is already looking at it:
 * the newest day first, and the next one when that has been projected, so that neither the first start nor a request
 * waits for them. How far it has come is kept, and the next start goes on from there. A day that two processes append,
 * or one that dies, consists of duplicates.
 */
export function fillHistory(parts: Parts, signal: AbortSignal): AsyncDisposable {
  const stopping = new AbortController();
  const ended = fillUntil(AbortSignal.any([signal, stopping.signal]), parts);
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await ended;
    },
  };
}

const PAUSE_AFTER_FAILURE_MS = 30_000;

async function fillUntil(signal: AbortSignal, parts: Parts): Promise<void> {
  while (!signal.aborted) {
    try {
      if (!(await appendDay(parts, signal))) return;
    } catch (thrown) {
      if (signal.aborted) return;
      parts.logger.warn({ reason: messageOf(thrown) }, 'a day of the sample waits');
      await parts.clock.sleep(PAUSE_AFTER_FAILURE_MS, signal);
    }
  }
}

/**
 * Appends the newest day that is missing, and waits until it has been projected. False where none is missing.
 * @throws {RetryableError | PermanentError} of the stores; the day stays missing.
 */
export async function appendDay(parts: Parts, signal: AbortSignal): Promise<boolean> {
  const sample = await readSample(parts.documents);
  if (!sample?.body.appended) return false;
  const last = lastRoundBy(unixMs(sample.body.end));
  const goal = last - HISTORY_ROUNDS + 1;
  const stored = await readHistory(parts.documents);
  const from = stored?.body.from ?? last - SAMPLE_ROUNDS + 1;
  if (from <= goal) return false;
  const first = Math.max(goal, from - ROUNDS_A_DAY);
  if (!(await appendEvents(parts, historyProbes({ first, last: from - 1 }), { batch: BATCH, signal })))
    return true;
  await writeHistory(parts.documents, stored?.version ?? null, { from: first });
  await projected(parts, signal);
  return true;
}

/** Small: requests have their turn between two batches. */
const BATCH = 250;

async function projected(
  { log, documents, projections, topicName, clock }: Parts,
  signal: AbortSignal,
): Promise<void> {
  const ends = await log.ends(topicName(PROBES));
  const places = ends.map(({ partition, latest }) => ({
    topic: topicName(PROBES),
    partition,
    position: latest - 1,
  }));
  await waitFor({ log, documents, projections, topicName }, places, { clock, signal });
}
