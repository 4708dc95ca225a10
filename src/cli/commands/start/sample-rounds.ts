import type { Parts } from '../../../compose/parts.ts';
import { messageOf } from '../../../platform/errors.ts';
import { lastRoundBy, ROUND_MS } from '../../../sample/targets.ts';
import { SAMPLE_ROUNDS, sampleProbes } from '../../../sample/sample.ts';
import { appendEvents } from './append-events.ts';
import { readSample, writeSample, type SampleState } from './sample-state.ts';

/**
 * Keeps the sample alive: one generated round of probes a minute, and at once those that were missed while nothing ran,
 * so that our own pause is never shown as the platform's silence.
 *
 * A process claims rounds before it appends them, and says so when they are there (sample-state.ts). Of two processes
 * one gets the claim. Where it fails or dies, its rounds are claimed again together with the next one; a round that is
 * appended twice consists of duplicates.
 */
export function keepSampleAlive(parts: Parts, signal: AbortSignal): AsyncDisposable {
  const stopping = new AbortController();
  const ended = appendRoundsUntil(AbortSignal.any([signal, stopping.signal]), parts);
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await ended;
    },
  };
}

/** How long after its end a round is appended. It counts 15 seconds after. */
const PAUSE_MS = 2000;

async function appendRoundsUntil(signal: AbortSignal, parts: Parts): Promise<void> {
  const { clock, logger } = parts;
  while (!signal.aborted) {
    try {
      await appendDueRounds(parts, signal);
    } catch (thrown) {
      logger.warn({ reason: messageOf(thrown) }, 'a round of the sample waits for the next one');
    }
    const sinceLast = (clock.now() - PAUSE_MS) % ROUND_MS;
    await clock.sleep(ROUND_MS - sinceLast, signal);
  }
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

/** Small: requests have their turn between two batches. */
const BATCH = 250;

/** Those between the last one in the log and the last one that has ended; null where that one is claimed already. */
function dueRounds(
  { appended, through, claimed }: SampleState,
  now: number,
): { readonly first: number; readonly last: number } | null {
  const last = lastRoundBy(now);
  if (!appended || last <= claimed) return null;
  return { first: Math.max(through + 1, last - SAMPLE_ROUNDS + 1), last };
}
