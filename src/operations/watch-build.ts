import type { Parts } from '../compose/parts.ts';
import { PermanentError } from '../platform/errors.ts';
import { collectionOf, type Projection } from '../projecting/engine/projection.ts';
import { Stopped } from '../projecting/engine/retry.ts';
import { readStatus, type StatusReport } from './status.ts';
import { englishOf } from './texts/finding-texts.ts';

const LOOK_MS = 500;
/** So long nothing may move until it is said why, in milliseconds. */
const STILL_MS = 10_000;

export interface Watching {
  readonly onProgress: (what: string, done: number, total: number) => void;
  /** Why nothing moves, one line; the same one may be said again. */
  readonly onRemark: (line: string) => void;
}

/**
 * Waits until a build has caught up with the log and its index is filled.
 * @throws {PermanentError} where it was dropped, or a lane of it has halted.
 * @throws {Stopped} where the signal was aborted: the build goes on.
 */
export async function untilComplete(
  parts: Parts,
  target: Projection,
  signal: AbortSignal,
  { onProgress, onRemark }: Watching,
): Promise<void> {
  const { clock } = parts;
  const build = collectionOf(target);
  let [before, movedAt, toTell] = ['', clock.monotonic(), 0];
  for (;;) {
    const status = await readStatus(parts, signal);
    const own = status.read_models.find(({ read_model }) => read_model === build);
    if (!own) throw new PermanentError(`${build} was dropped meanwhile: nothing is left of it.`);
    if (own.completed_at !== null) return;
    const remarks = remarksOn(build, status);
    const halt = remarks.find(({ code }) => code === 'halted');
    if (halt) throw new PermanentError(`${build} cannot go on: ${halt.line}`);
    const left = own.lag;
    const lanes = status.lanes.filter(({ lane }) => lane.startsWith(`${build}/`));
    const total = lanes.reduce((sum, { latest, earliest }) => sum + latest - earliest, 0);
    const waiting = left > 0 ? 0 : (status.search.find(({ index }) => index === build)?.waiting ?? 0);
    toTell = Math.max(toTell, waiting);
    if (left > 0) onProgress('records folded', total - left, total);
    else onProgress('entries indexed', toTell - waiting, toTell);
    const now = `${left} ${waiting}`;
    if (now !== before) [before, movedAt] = [now, clock.monotonic()];
    else if (clock.monotonic() - movedAt >= STILL_MS) {
      movedAt = clock.monotonic();
      for (const { line } of remarks) onRemark(line);
    }
    await clock.sleep(LOOK_MS, signal);
    if (signal.aborted) throw new Stopped('stopped watching');
  }
}

/** What `status` finds of a build, and of all of them. */
function remarksOn(build: string, { findings }: StatusReport) {
  return findings
    .filter(({ subject, code }) => code === 'no_projector' || `${subject}/`.startsWith(`${build}/`))
    .map((finding) => ({ code: finding.code, line: `${finding.subject}: ${englishOf(finding)}` }));
}
