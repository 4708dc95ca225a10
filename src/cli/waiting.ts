import type { Parts } from '../compose/parts.ts';
import type { Place } from '../events/log/port.ts';
import { commandLine } from '../platform/text/command-line.ts';
import { asLanes, everyBuild } from '../projecting/builds/standing-builds.ts';
import { searched } from '../projecting/engine/projection.ts';
import { waitForSearch } from '../projecting/inspect/search-progress.ts';
import { waitFor, type Waited, type WaitOptions } from '../projecting/inspect/progress.ts';
import { note } from './output.ts';
import { showProgress } from './progress.ts';

type OnProgress = NonNullable<WaitOptions['onProgress']>;
type Show = (what: string, wait: (onProgress: OnProgress) => Promise<Waited>) => Promise<Waited>;

/**
 * Waits until what stands at these places in the log has reached what readers see, the documents and then the search
 * index of the live builds, and shows how far that has come. The index of a build whose fold this release does not have
 * is not waited for.
 */
export function waitUntilServed(
  parts: Parts,
  places: readonly Place[],
  signal: AbortSignal,
  waiter: Waiter = 'asks',
): Promise<Waited> {
  const { clock } = parts;
  return reach(parts, places, { clock, signal }, (what, wait) => shown(what, parts, waiter, wait));
}

/** `projects`: it does itself what is waited for. `asks`: somebody has to be there who does. */
type Waiter = 'projects' | 'asks';

/** The same without a word. */
export function reachServed(parts: Parts, places: readonly Place[], options: WaitOptions): Promise<Waited> {
  return reach(parts, places, options, (_what, wait) => wait(() => undefined));
}

async function reach(
  parts: Parts,
  places: readonly Place[],
  options: WaitOptions,
  show: Show,
): Promise<Waited> {
  const { log, documents, topicName } = parts;
  const live = (await everyBuild(parts)).filter(({ isLive }) => isLive);
  const projections = await Promise.all(live.map((build) => asLanes(parts, build)));
  const projected = await show('events projected', (onProgress) =>
    waitFor({ log, documents, topicName, projections }, places, { ...options, onProgress }),
  );
  if (projected !== 'reached') return projected;
  for (const projection of searched(live.flatMap((build) => build.projection ?? []))) {
    const indexed = await show('entries indexed', (onProgress) =>
      waitForSearch(projection, parts.documents, { ...options, onProgress }),
    );
    if (indexed !== 'reached') return indexed;
  }
  return 'reached';
}

const NOTHING_MOVES_MS = 5000;

const STILL = `Still waiting. "${commandLine('status')}" says why; where no projector is running, start one ("npm start", or "${commandLine('project')}"). Ctrl-C stops waiting.`;

/** Shows progress, and says so where there is none: most often nobody projects. */
async function shown(
  what: string,
  { clock }: Pick<Parts, 'clock'>,
  waiter: Waiter,
  wait: (onProgress: OnProgress) => Promise<Waited>,
): Promise<Waited> {
  using progress = showProgress(what);
  let total: number | null = null;
  let [before, movedAt] = [Infinity, clock.monotonic()];
  return await wait((left) => {
    total ??= left;
    progress.update(total - left, total);
    if (left !== before) [before, movedAt] = [left, clock.monotonic()];
    if (waiter === 'projects' || clock.monotonic() - movedAt < NOTHING_MOVES_MS) return;
    movedAt = Infinity;
    note(STILL);
  });
}
