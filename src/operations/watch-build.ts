import type { Parts } from '../compose/parts.ts';
import { readStatus } from '../operations/status.ts';
import { lineOf } from '../findings/finding-texts.ts';
import { PermanentError } from '../platform/errors.ts';
import { lanesOf } from '../projecting/builds/build-lanes.ts';
import { explainHalt } from '../projecting/engine/lane.ts';
import { collectionOf, type Projection } from '../projecting/engine/projection.ts';
import { StoppedError } from '../projecting/engine/retry.ts';
import { readProgress } from '../projecting/inspect/progress.ts';
import { readSearchProgress } from '../projecting/inspect/search-progress.ts';
import { readBuild } from '../stores/builds.ts';
import { buildsOf, readAlias } from '../stores/aliases.ts';

const LOOK_MS = 250;
/** So long nothing may move until it is said why, in milliseconds. */
const STILL_MS = 10_000;

export interface BuildListener {
  readonly onProgress: (what: string, done: number, total: number) => void;
  /** Why nothing moves, one line; each once. */
  readonly onRemark: (line: string) => void;
}

/**
 * Waits until a build has caught up with the log and its index is filled.
 * @throws {PermanentError} where it was dropped, or a lane of it has halted.
 * @throws {StoppedError} where the signal was aborted: the build goes on.
 */
export async function untilComplete(
  parts: Parts,
  target: Projection,
  signal: AbortSignal,
  { onProgress, onRemark }: BuildListener,
): Promise<void> {
  const { documents, clock } = parts;
  const build = collectionOf(target);
  let [before, movedAt, toTell] = ['', clock.monotonic(), 0];
  const remarks = new Set<string>();
  for (;;) {
    const alias = await readAlias(documents, target.name);
    if (!alias || !buildsOf(alias).includes(build))
      throw new PermanentError(`${build} was dropped meanwhile: nothing is left of it.`);
    if ((await readBuild(documents, build))?.completed_at) return;
    for (const lane of await lanesOf(documents, build))
      if (lane.halted) throw new PermanentError(`${build} cannot go on: ${explainHalt(lane, lane.halted)}`);
    const { total, left, waiting } = await readAmounts(parts, target);
    toTell = Math.max(toTell, waiting);
    if (left > 0) onProgress('records folded', total - left, total);
    else onProgress('entries indexed', toTell - waiting, toTell);
    const now = `${left} ${waiting}`;
    if (now !== before) [before, movedAt] = [now, clock.monotonic()];
    else if (clock.monotonic() - movedAt >= STILL_MS) {
      movedAt = clock.monotonic();
      for (const line of (await whyStill(parts, build, signal)).filter((one) => !remarks.has(one))) {
        remarks.add(line);
        onRemark(line);
      }
    }
    await clock.sleep(LOOK_MS, signal);
    if (signal.aborted) throw new StoppedError('stopped watching');
  }
}

/** Records of the log, those that are left of them, and documents that its index waits for once none is. */
async function readAmounts({ log, documents, topicName }: Parts, target: Projection) {
  const lanes = await readProgress({ log, documents, topicName, projections: [target] });
  const total = lanes.reduce((sum, { latest, earliest }) => sum + latest - earliest, 0);
  const left = lanes.reduce((sum, { lag }) => sum + lag, 0);
  const isSearched = left === 0 && target.searchEntry !== undefined;
  return {
    total,
    left,
    waiting: isSearched ? (await readSearchProgress(target, documents, await documents.now())).waiting : 0,
  };
}

/** What `status` finds of a build, and of all of them. */
async function whyStill(parts: Parts, build: string, signal: AbortSignal): Promise<readonly string[]> {
  const { findings } = await readStatus(parts, signal);
  return findings
    .filter(({ subject, code }) => code === 'no_projector' || `${subject}/`.startsWith(`${build}/`))
    .map((finding) => `${finding.subject}: ${lineOf(finding)}`);
}
