import type { Parts } from '../../../compose/parts.ts';
import type { Place } from '../../../events/log/port.ts';
import { publishSample } from '../../../operations/sample/publish.ts';
import { commandLine } from '../../../platform/text/command-hint.ts';
import { everyBuild } from '../../../projecting/builds/builds-by-fold.ts';
import { readProgress, type WaitOutcome } from '../../../projecting/inspect/lane-progress.ts';
import { counted } from '../../../texts/english-amounts.ts';
import { note } from '../../output.ts';
import { showProgress } from '../../progress.ts';
import { waitUntilServed } from '../../wait-until-served.ts';

/** Appends the sample where the log is empty. Says whether there is anything to wait for. */
export async function showSample(parts: Parts, signal: AbortSignal): Promise<boolean> {
  using progress = showProgress();
  let appended = 0;
  const onAppended = (many: number): void =>
    progress.update('sample events appended', (appended = many), null);
  const isNew = await publishSample(parts, signal, onAppended);
  if (isNew && !signal.aborted) note(`${counted(appended, 'sample event')} appended.`);
  return isNew;
}

/** A search engine that is down, or takes long to be filled, must not keep the rest from being used. */
const STANDSTILL_MS = 30_000;
const QUIET_POLL_MS = 1000;

/**
 * Waits until everything that is in the log now is served, search included, as long as what is counted moves. What it
 * returns waits on, quietly and for as long as it takes.
 */
export async function waitForSample(parts: Parts, signal: AbortSignal): Promise<() => Promise<WaitOutcome>> {
  const { log, documents, topicName } = parts;
  const projections = (await everyBuild(parts)).flatMap(({ projection }) => projection ?? []);
  const lanes = await readProgress({ log, documents, topicName, projections });
  const places = lanes.map(({ topic, partition, latest }) => ({ topic, partition, position: latest - 1 }));
  const waited = await waitWhileMoving(parts, places, signal);
  const where = `see "${commandLine('status')}"`;
  if (waited === 'stopped' && !signal.aborted) note(`catalog: not everything is served yet: ${where}.`);
  if (waited === 'halted') note(`catalog: a lane has halted: ${where}.`);
  if (waited === 'reached') return async () => waited;
  return () => waitUntilServed(parts, places, signal, { pollMs: QUIET_POLL_MS });
}

async function waitWhileMoving(
  parts: Parts,
  places: readonly Place[],
  signal: AbortSignal,
): Promise<WaitOutcome> {
  using progress = showProgress();
  const standstill = new AbortController();
  const timer = setTimeout(() => standstill.abort(), STANDSTILL_MS);
  let before = '';
  const onProgress = (what: string, done: number, total: number | null): void => {
    progress.update(what, done, total);
    if (`${done} ${what}` !== before) timer.refresh();
    before = `${done} ${what}`;
  };
  try {
    return await waitUntilServed(parts, places, AbortSignal.any([signal, standstill.signal]), { onProgress });
  } finally {
    clearTimeout(timer);
  }
}
