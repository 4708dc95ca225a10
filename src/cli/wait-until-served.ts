import type { Parts } from '../compose/parts.ts';
import type { Place } from '../events/log/port.ts';
import { commandLine } from '../platform/text/command-hint.ts';
import { asLanes, everyBuild } from '../projecting/builds/builds-by-fold.ts';
import { searchedProjections } from '../projecting/engine/projection.ts';
import { waitForSearch } from '../projecting/inspect/search-progress.ts';
import { waitFor, type WaitOutcome } from '../projecting/inspect/lane-progress.ts';
import { note } from './output.ts';
import type { Progress } from './progress.ts';

type OnProgress = Progress['update'];

/**
 * Waits until what stands at these places in the log has reached what readers see, the documents and then the search
 * index of the live builds. The index of a build whose fold this release does not have is not waited for.
 */
export async function waitUntilServed(
  parts: Parts,
  places: readonly Place[],
  signal: AbortSignal,
  { onProgress, ...poll }: { readonly pollMs?: number; readonly onProgress?: OnProgress } = {},
): Promise<WaitOutcome> {
  const { log, documents, topicName, clock } = parts;
  const counted = (what: string) => {
    let total: number | null = null;
    const fromLeft = (left: number): void => {
      total ??= left;
      onProgress?.(what, total - left, total);
    };
    return { ...poll, clock, signal, onProgress: fromLeft };
  };
  const live = (await everyBuild(parts)).filter(({ isLive }) => isLive);
  const projections = await Promise.all(live.map((build) => asLanes(parts, build)));
  const lanes = { log, documents, topicName, projections };
  const projected = await waitFor(lanes, places, counted('events projected'));
  if (projected !== 'reached') return projected;
  for (const projection of searchedProjections(live.flatMap((build) => build.projection ?? []))) {
    const indexed = await waitForSearch(projection, documents, counted('entries indexed'));
    if (indexed !== 'reached') return indexed;
  }
  return 'reached';
}

const NOTHING_MOVES_MS = 5000;

const STILL = `Still waiting. "${commandLine('status')}" says why; where no projector is running, start one ("npm start", or "${commandLine('project')}"). Ctrl-C stops waiting.`;

/** Progress that also says so where there is none: most often nobody projects. */
export function remarkStandstill({ clock }: Pick<Parts, 'clock'>, onProgress: OnProgress): OnProgress {
  let [before, movedAt] = ['', clock.monotonic()];
  return (what, done, total) => {
    onProgress(what, done, total);
    const now = `${done} ${what}`;
    if (now !== before) [before, movedAt] = [now, clock.monotonic()];
    if (clock.monotonic() - movedAt < NOTHING_MOVES_MS) return;
    movedAt = Infinity;
    note(STILL);
  };
}
