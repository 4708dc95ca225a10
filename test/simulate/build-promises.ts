import { CHECKPOINTS, laneName, type Checkpoint } from '../../src/projecting/engine/lane.ts';
import { partitionOf } from '../../src/events/log/partitioner.ts';
import type { ReadModelDocument } from '../../src/projecting/engine/projection.ts';
import { FEED_LEASES, type FeedLease } from '../../src/stores/feed-lease.ts';
import { ALIASES, READERS_MS, type Alias } from '../../src/stores/aliases.ts';
import { canonical } from '../../src/platform/canonical.ts';
import type { Json } from '../../src/platform/json-value.ts';
import { aliasIn, isBuild } from './aliases.ts';
import type { Registers } from './notes-and-marks.ts';
import { lanesOf, PARTITIONS, require } from './promises.ts';
import { bodyOf, type Change, type SharedDocuments } from './simulated-documents.ts';
import type { Stage } from './stage.ts';

/** What must never be untrue while builds are switched, and what must be left of a build that was dropped: nothing. */

type Document = ReadModelDocument<Registers>;

/** At every write: a lane that keeps a pause is quiet, and only a build that has come as far is made live. */
export function checkBuilds(stage: Stage, change: Change): void {
  const { collection, before, after } = change;
  if (collection === ALIASES.name) checkSwitch(stage, change);
  else if (collection === CHECKPOINTS.name) checkQuietLane(stage, before as Checkpoint, after as Checkpoint);
  else if (isBuild(collection)) checkQuietDocument(stage, change);
}

function checkQuietLane({ documents }: Stage, before: Checkpoint | undefined, after: Checkpoint): void {
  if (!before || before.owner !== after.owner || !keepsPause(documents, before)) return;
  require(after.position === before.position ||
    after.epoch >
      before.epoch, `quiet is quiet: ${laneName(after)} keeps the pause and moves to ${after.position}`);
}

function checkQuietDocument(stage: Stage, change: Change): void {
  const { documents, actors, operators } = stage;
  const { collection, id, before, after, writer } = change;
  const stillRead = isStillRead(stage, collection);
  if (aliasIn(documents).pause === null && !stillRead) return;
  const [was, is] = [(before as Document | undefined)?.registers, (after as Document).registers];
  const isChanged = { notes: differ(was?.note, is.note), marks: differ(was?.marks, is.marks) };
  if (operators.some(({ worker }) => worker.name === writer)) {
    const isLate = (isChanged.notes || isChanged.marks) && isCompared(documents, collection);
    require(!isLate, `quiet is quiet: ${writer} redrives into ${id} of ${collection} during a switch`);
    return;
  }
  const owner = actors.find(({ worker }) => worker.name === writer)?.projector.owner;
  const partition = partitionOf(id, PARTITIONS.length);
  for (const lane of lanesOf(collection).filter((one) => one.partition === partition)) {
    const checkpoint = bodyOf(documents, CHECKPOINTS.name, laneName(lane)) as Checkpoint | undefined;
    if (!checkpoint || checkpoint.owner !== owner) continue;
    if (!isChanged[lane.topic as keyof typeof isChanged]) continue;
    const hasPause = keepsPause(documents, checkpoint);
    require(!hasPause, `quiet is quiet: ${laneName(lane)} keeps the pause, and its owner writes ${id}`);
    require(!stillRead, `quiet is quiet: ${laneName(lane)} writes ${id} while readers may read it there`);
  }
}

/** Whether a switch has found no redrive under way, and counts on that none begins until readers have left the build before. */
function isCompared(documents: SharedDocuments, build: string): boolean {
  const { pause, collection, beside } = aliasIn(documents);
  // One that was dropped is compared by nobody.
  if (pause === null || ![collection, ...beside].includes(build)) return false;
  return pause.builds.length > 1 ? pause.builds.includes(build) : !pause.builds.includes(collection);
}

/** Whether a request that was asked before the last switch may still be given what this build says. */
function isStillRead({ documents, world }: Stage, build: string): boolean {
  const { collection, before, switches } = aliasIn(documents);
  const last = switches.at(-1);
  if (build !== before || build === collection || !last) return false;
  // Simulated time has fractions: a sum of them is rounded.
  return world.now() - last.at < READERS_MS - 1;
}

function keepsPause(documents: SharedDocuments, { readModel, quiet }: Checkpoint): boolean {
  const { pause } = aliasIn(documents);
  return quiet !== null && pause?.token === quiet && pause.builds.includes(readModel);
}

function differ(one: unknown, other: unknown): boolean {
  return canonical((one ?? {}) as Json) !== canonical((other ?? {}) as Json);
}

function checkSwitch(stage: Stage, { before, after, writer }: Change): void {
  const { documents, search } = stage;
  const [was, is] = [before as Alias, after as Alias];
  if (was.collection === is.collection) return;
  const [source, target] = [was.collection, is.collection];
  require(is.index === target, `one write: ${target} is live with the index ${is.index}`);
  require(was.beside.includes(target), `a switch is to a build that stands: ${target} was dropped`);
  require(was.pause?.owner ===
    writer, `a late switch is defeated: ${writer} makes ${target} live in the pause of ${was.pause?.owner}`);
  for (const [index, lane] of lanesOf(source).entries()) {
    const ahead = bodyOf(documents, CHECKPOINTS.name, laneName(lane)) as Checkpoint | undefined;
    const other = lanesOf(target)[index];
    const behind = other && (bodyOf(documents, CHECKPOINTS.name, laneName(other)) as Checkpoint | undefined);
    if (!ahead || ahead.halted) continue;
    require((behind?.position ?? 0) >=
      ahead.position, `as far as the live build: ${laneName(lane)} is at ${ahead.position}, ${target} at ${behind?.position}`);
  }
  require(search.indexes.has(target), `the index is ready: ${target} has none`);
  // Since it was looked at, a feeder may have found another index than it has left: then readers do not ask it.
  const told = isBackfilled(documents, target) ? [] : (documents.collections.get(target) ?? []);
  for (const [id, { body }] of told) {
    const mark = (body as Document).dirty?.mark;
    require(mark !== 'put' &&
      mark !== 'remove', `the index is ready: ${id} of ${target} is to be told as ${mark}`);
  }
  stage.world.happen('switched live');
}

function isBackfilled({ collections }: SharedDocuments, index: string): boolean {
  return [...collections].some(
    ([name, found]) =>
      name.startsWith(FEED_LEASES.name) && (found.get(index)?.body as FeedLease | undefined)?.seal === null,
  );
}

/** At the end: nothing speaks of a build that was dropped. */
export function checkGone({ documents, search }: Stage, build: string): void {
  require(!search.indexes.has(build), `nothing is left: the index of ${build}`);
  for (const [collection, found] of documents.collections) {
    if (collection === ALIASES.name || (collection === build && found.size === 0)) continue;
    require(collection !== build, `nothing is left: ${found.size} documents of ${build}`);
    if (isBuild(collection) || collection.startsWith('leases of') || collection === 'workers') continue;
    const left = [...found.keys()].find((id) => id === build || id.startsWith(`${build}/`));
    require(left === undefined, `nothing is left: ${left} in ${collection}`);
  }
}
