import type { Parts } from '../../compose/parts.ts';
import { ensureReadTopics } from '../../compose/projector.ts';
import { unixMs } from '../../platform/time/instant.ts';
import { sampleEvents, SAMPLE_ROUNDS } from '../../sample/sample.ts';
import { lastRoundBy } from '../../sample/targets.ts';
import { appendEvents, changeSample, readSample, type SampleState } from './state.ts';

const BATCH = 2000;

/**
 * Appends the sample to an empty log, like any other events. After a start that was killed in the middle, the next one
 * appends the whole sample again, with the same end, and the fold absorbs what was there. Says whether it was this process
 * that began to.
 */
export async function publishSample(
  parts: Parts,
  signal: AbortSignal,
  onAppended?: (appended: number) => void,
): Promise<boolean> {
  const { documents, clock } = parts;
  await ensureReadTopics(parts);
  const stored = await readSample(documents);
  if (stored?.appended) return false;
  if (!stored && !(await isEmpty(parts))) return false;
  const end = stored?.end ?? new Date(Math.floor(clock.now() / 1000) * 1000).toISOString();
  const through = lastRoundBy(unixMs(end));
  const begun: SampleState = { end, appended: false, through, from: through - SAMPLE_ROUNDS + 1 };
  // Another process has just begun it.
  if (!stored && !(await changeSample(documents, (state) => (state ? null : begun)))) return false;
  if (await appendEvents(parts, sampleEvents({ end }), { batch: BATCH, signal, onAppended }))
    await changeSample(documents, (state) => state && { ...state, appended: true });
  return true;
}

async function isEmpty({ log, projections, topicName }: Parts): Promise<boolean> {
  for (const topic of projections.flatMap((projection) => projection.topics)) {
    const ends = await log.ends(topicName(topic));
    if (ends.some(({ latest }) => latest > 0)) return false;
  }
  return true;
}
