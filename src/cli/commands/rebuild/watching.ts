import type { Parts } from '../../../compose/parts.ts';
import { commandLine } from '../../../platform/command-line.ts';
import { PermanentError } from '../../../platform/errors.ts';
import { lanesOf } from '../../../projecting/builds/lanes.ts';
import { explainHalt, laneName, type Checkpoint } from '../../../projecting/engine/lane.ts';
import { collectionOf, type Projection } from '../../../projecting/engine/projection.ts';
import { Stopped } from '../../../projecting/engine/retry.ts';
import { readOwners } from '../../../projecting/inspect/heartbeat.ts';
import { readProgress } from '../../../projecting/inspect/progress.ts';
import { readSearchProgress } from '../../../projecting/inspect/search-progress.ts';
import { readBuild } from '../../../stores/builds.ts';
import { buildsOf, readAlias } from '../../../stores/live.ts';
import { counted, number } from '../../../platform/amounts.ts';
import { note } from '../../output.ts';
import { showProgress, type Progress } from '../../progress.ts';
import { roomHint } from './room.ts';

const LOOK_MS = 250;
/** So long nothing may move until it is said why, in milliseconds. */
const STILL_MS = 10_000;
/** The same where lanes are at work: a build that is behind gathers for half a minute before it writes. */
const GATHERING_MS = 45_000;

/**
 * Shows how far a build is until it has caught up with the log and its index is filled.
 * @throws {PermanentError} where it was dropped, or a lane of it has halted.
 * @throws {Stopped} by Ctrl-C.
 */
export async function untilComplete(parts: Parts, target: Projection, signal: AbortSignal): Promise<void> {
  const { documents, clock } = parts;
  const build = collectionOf(target);
  await using watched = openWatch(parts, target);
  for (;;) {
    const alias = await readAlias(documents, target.name);
    if (!alias || !buildsOf(alias).includes(build))
      throw new PermanentError(`${build} was dropped meanwhile: nothing is left of it.`);
    if ((await readBuild(documents, build))?.completed_at) return;
    await watched.look();
    await clock.sleep(LOOK_MS, signal);
    if (signal.aborted) {
      note(`${build} goes on without this command: "${commandLine(`drop ${build}`)}" ends it.`);
      throw new Stopped('stopped watching');
    }
  }
}

/** What was shown, and what was said once. */
function openWatch(parts: Parts, target: Projection) {
  const { documents, log, topicName, clock } = parts;
  const build = collectionOf(target);
  const said = new Set<string>();
  let progress: { readonly what: string; readonly shown: Progress } | null = null;
  let [before, movedAt, askedAt] = ['', clock.monotonic(), clock.monotonic()];

  function show(what: string, done: number, total: number, aside: string): void {
    if (progress?.what !== what) {
      progress?.shown[Symbol.dispose]();
      progress = { what, shown: showProgress(what, done) };
    }
    progress.shown.update(done, total, aside);
  }

  function sayOnce(text: string): void {
    if (!said.has(text)) note(text);
    said.add(text);
  }

  let toTell = 0;
  async function look(): Promise<void> {
    const lanes = await readProgress({ log, documents, topicName, projections: [target] });
    const checkpoints = await lanesOf(documents, build);
    for (const lane of checkpoints)
      if (lane.halted) throw new PermanentError(`${build} cannot go on: ${explainHalt(lane, lane.halted)}`);
    const total = lanes.reduce((sum, { latest, earliest }) => sum + latest - earliest, 0);
    const left = lanes.reduce((sum, { lag }) => sum + lag, 0);
    const search = left === 0 && target.searchEntry ? await readSearchProgress(target, documents) : null;
    if (search) {
      toTell = Math.max(toTell, search.waiting);
      const aside = search.refused > 0 ? `${number(search.refused)} refused by the search engine` : '';
      show('entries indexed', toTell - search.waiting, toTell, aside);
      if (search.trouble !== null) sayOnce(`The index ${build} is not fed: ${search.trouble}`);
    } else {
      const [all] = await documents.count(build, { where: {}, by: [] });
      show('records folded', total - left, total, sayFolded(checkpoints, all?.count ?? 0));
    }
    for (const lane of checkpoints) if (lane.paused) sayOnce(pausedLine(laneName(lane), lane.paused.reason));
    const now = `${left} ${search?.waiting ?? ''}`;
    if (now !== before) [before, movedAt] = [now, clock.monotonic()];
    const stillMs = clock.monotonic() - movedAt;
    if (stillMs < STILL_MS || clock.monotonic() - askedAt < STILL_MS) return;
    askedAt = clock.monotonic();
    for (const line of await whyStill(parts, build, stillMs)) sayOnce(line);
  }

  return {
    look,
    [Symbol.asyncDispose]: async () => progress?.shown[Symbol.dispose](),
  };
}

/** How many events have come to one document, and what could not be folded. */
function sayFolded(lanes: readonly Checkpoint[], documents: number): string {
  const sum = (count: (lane: Checkpoint) => number): number =>
    lanes.reduce((all, lane) => all + count(lane), 0);
  const events = sum(({ counts }) => counts.applied + counts.superseded);
  const parked = sum(({ counts }) => counts.parked);
  const ratio = documents > 0 ? `${(events / documents).toFixed(1)} events a document` : '';
  return [ratio, parked > 0 ? `${number(parked)} parked` : ''].filter((one) => one !== '').join(', ');
}

function pausedLine(lane: string, reason: string): string {
  return `${lane} pauses, and is tried again by itself: ${reason}. The live build is not touched.`;
}

/** What is known of a build that does not move. */
async function whyStill(parts: Parts, build: string, stillMs: number): Promise<readonly string[]> {
  const { alive } = await readOwners(parts.documents, await parts.documents.now());
  const lanes = [...alive.values()].flatMap((worker) =>
    Object.entries(worker.lanes).filter(([lane]) => lane.startsWith(`${build}/`)),
  );
  const room = roomHint(parts.config);
  if (room !== null) return [room];
  const paused = lanes.filter(([, { state }]) => state === 'paused');
  if (paused.length > 0)
    return paused.map(([lane, { reason }]) => pausedLine(lane, reason ?? 'no reason is known'));
  if (lanes.length > 0 && stillMs < GATHERING_MS) return [];
  if (lanes.length > 0)
    return [
      `Nothing moves, though ${counted(lanes.length, 'lane')} of ${build} ${lanes.length === 1 ? 'is' : 'are'} at work: "${commandLine('status')}" says more.`,
    ];
  if (alive.size > 0)
    return [
      `Nothing moves: no running projector has taken up ${build}. It takes one whose release has its fold.`,
    ];
  return [`Nothing moves: no projector is running. Start one: "npm start", or "${commandLine('project')}".`];
}
