import { standingBuilds } from '../../../projecting/builds/standing-builds.ts';
import type { Parts } from '../../../compose/parts.ts';
import { ensureReadTopics } from '../../../compose/projector.ts';
import { commandLine } from '../../../platform/text/command-line.ts';
import { unixMs, type Instant } from '../../../platform/time/instant.ts';
import { readProgress, type Waited } from '../../../projecting/inspect/progress.ts';
import { lastRoundBy } from '../../../sample/targets.ts';
import { sampleEvents, SAMPLE_ROUNDS, sampleSize } from '../../../sample/sample.ts';
import { counted } from '../../../platform/text/format.ts';
import { note } from '../../output.ts';
import { showProgress } from '../../progress.ts';
import { appendEvents, changeSample, readSample, type SampleState } from './sample-state.ts';
import { reachServed, waitUntilServed } from '../../waiting.ts';

const BATCH = 2000;

/**
 * Appends the sample to an empty log, like any other events. After a start that was killed in the middle, the next one
 * appends the whole sample again, with the same end, and the fold absorbs what was there. Says whether it has appended
 * anything.
 */
export async function publishSample(parts: Parts, signal: AbortSignal): Promise<boolean> {
  const { documents, clock } = parts;
  await ensureReadTopics(parts);
  const stored = await readSample(documents);
  if (stored?.appended) return false;
  if (!stored && !(await isEmpty(parts))) return false;
  const end = stored?.end ?? thisSecond(clock.now());
  const through = lastRoundBy(unixMs(end));
  const begun: SampleState = { end, appended: false, through, from: through - SAMPLE_ROUNDS + 1 };
  // Another process has just begun it.
  if (!stored && !(await changeSample(documents, (state) => (state ? null : begun)))) return false;
  if (await appendAll(parts, end, signal))
    await changeSample(documents, (state) => state && { ...state, appended: true });
  return true;
}

function thisSecond(now: number): Instant {
  return new Date(Math.floor(now / 1000) * 1000).toISOString();
}

async function isEmpty({ log, projections, topicName }: Parts): Promise<boolean> {
  for (const topic of projections.flatMap((projection) => projection.topics)) {
    const ends = await log.ends(topicName(topic));
    if (ends.some(({ latest }) => latest > 0)) return false;
  }
  return true;
}

async function appendAll(parts: Parts, end: Instant, signal: AbortSignal): Promise<boolean> {
  const size = sampleSize();
  using progress = showProgress('sample events appended');
  const onAppended = (appended: number): void => progress.update(appended, size);
  if (!(await appendEvents(parts, sampleEvents({ end }), { batch: BATCH, signal, onAppended }))) return false;
  note(`${counted(size, 'sample event')} appended.`);
  return true;
}

/** A search engine that is down must not keep the rest from being used. */
const PATIENCE_MS = 30_000;
const QUIET_POLL_MS = 1000;

/**
 * Waits until everything that is in the log now is served, search included; half a minute at most. What it returns
 * waits on, quietly and for as long as it takes.
 */
export async function waitForSample(parts: Parts, signal: AbortSignal): Promise<() => Promise<Waited>> {
  const { clock, log, documents, topicName } = parts;
  const projections = await standingBuilds(parts);
  const lanes = await readProgress({ log, documents, topicName, projections });
  const places = lanes.map(({ topic, partition, latest }) => ({ topic, partition, position: latest - 1 }));
  const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  const waited = await waitUntilServed(parts, places, patience, 'projects');
  if (waited === 'stopped' && !signal.aborted)
    note(`catalog: not everything is served yet: see "${commandLine('status')}".`);
  if (waited === 'halted') note(`catalog: a lane has halted: see "${commandLine('status')}".`);
  return async () =>
    waited === 'reached'
      ? waited
      : await reachServed(parts, places, { clock, signal, pollMs: QUIET_POLL_MS });
}
