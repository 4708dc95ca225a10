import type { Parts } from '../compose/parts.ts';
import type { Place } from '../events/log/port.ts';
import type { Clock } from '../platform/clock.ts';
import { commandLine } from '../platform/command-line.ts';
import { waitFor, type Waited, type WaitOptions } from '../projecting/inspect/progress.ts';
import { searched } from '../projecting/engine/projection.ts';
import { waitForSearch } from '../projecting/inspect/search-progress.ts';
import { note, showProgress } from './output.ts';

const NOTHING_MOVES_MS = 5000;

/**
 * Waits until what stands at these places in the log has reached the documents and then the search index, and shows how
 * far that has come.
 */
export async function waitUntilServed(
  { log, documents, projections, topicName, clock }: Parts,
  places: readonly Place[],
  signal: AbortSignal,
): Promise<Waited> {
  const projected = await shown('events projected', clock, (onProgress) =>
    waitFor({ log, documents, projections, topicName }, places, { clock, signal, onProgress }),
  );
  if (projected !== 'reached') return projected;
  for (const projection of searched(projections)) {
    const indexed = await shown('entries indexed', clock, (onProgress) =>
      waitForSearch(projection, documents, { clock, signal, onProgress }),
    );
    if (indexed !== 'reached') return indexed;
  }
  return 'reached';
}

/** The same without a word. */
export async function reachServed(
  { log, documents, projections, topicName }: Parts,
  places: readonly Place[],
  options: WaitOptions,
): Promise<Waited> {
  const projected = await waitFor({ log, documents, projections, topicName }, places, options);
  if (projected !== 'reached') return projected;
  for (const projection of searched(projections)) {
    const indexed = await waitForSearch(projection, documents, options);
    if (indexed !== 'reached') return indexed;
  }
  return 'reached';
}

/** Shows progress, and says so where there is none: most often nobody projects. */
async function shown(
  what: string,
  clock: Clock,
  wait: (onProgress: (left: number) => void) => Promise<Waited>,
): Promise<Waited> {
  using progress = showProgress(what);
  let total: number | null = null;
  let [before, movedAt] = [Infinity, clock.monotonic()];
  return await wait((left) => {
    total ??= left;
    progress.update(total - left, total);
    if (left !== before) [before, movedAt] = [left, clock.monotonic()];
    if (clock.monotonic() - movedAt < NOTHING_MOVES_MS) return;
    movedAt = Infinity;
    note(
      `Still waiting. "${commandLine('status')}" says what for: is a projector running ("npm start", or "${commandLine('project')}")? Ctrl-C stops waiting.`,
    );
  });
}
