import { canonical } from '../../src/platform/canonical.ts';
import type { Json } from '../../src/platform/json-value.ts';
import type { LogRecord } from '../../src/events/log/port.ts';
import { CHECKPOINTS, laneName, type Checkpoint, type LaneId } from '../../src/projecting/engine/lane.ts';
import { PARKED, parkedId } from '../../src/projecting/engine/parking.ts';
import type { ReadModelDocument } from '../../src/projecting/engine/projection.ts';
import { expectedOf, foldNaively, revisionOf, type Fact } from './expected.ts';
import type { Registers } from './notes-and-marks.ts';
import { buildsIn, isBuild } from './aliases.ts';
import { bodyOf, type Change, type SharedDocuments } from './simulated-documents.ts';
import { partitionsOf, type SharedLog } from './simulated-log.ts';

/** What must never be untrue, whatever fails, and what must be true in the end. */

export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise';
}

export const TOPICS = ['notes', 'marks'] as const;
export const PARTITIONS = [0, 1] as const;

/** Made once for each build: they are asked for after every step. */
const lanes = new Map<string, readonly Named[]>();

type Named = readonly [name: string, lane: LaneId];

/** The lanes of a build, with their names. */
export function namedLanes(readModel: string): readonly Named[] {
  const known =
    lanes.get(readModel) ??
    TOPICS.flatMap((topic) => PARTITIONS.map((partition) => ({ readModel, topic, partition }))).map(
      (lane) => [laneName(lane), lane] as const,
    );
  lanes.set(readModel, known);
  return known;
}

export function lanesOf(readModel: string): readonly LaneId[] {
  return namedLanes(readModel).map(([, lane]) => lane);
}

/** At every write: no register falls back, and no checkpoint runs ahead of what is durable. Throws `BrokenPromise`. */
export function checkWrite(
  log: SharedLog,
  documents: SharedDocuments,
  { collection, id, before, after }: Change,
): void {
  if (isBuild(collection)) {
    checkNoRegress(id, before as Document | undefined, after as Document);
  } else if (collection === CHECKPOINTS.name) {
    // What is left of a build that was dropped is another matter.
    if (!buildsIn(documents).includes((after as Checkpoint).readModel)) return;
    checkHonest(log, documents, before as Checkpoint | undefined, after as Checkpoint);
  }
}

type Document = ReadModelDocument<Registers>;

function checkNoRegress(id: string, before: Document | undefined, after: Document): void {
  for (const mark of [null, ...Object.keys(before?.registers.marks ?? {})]) {
    const [was, is] = [revisionOf(before?.registers, mark), revisionOf(after.registers, mark)];
    require(is >= was, `no regress: ${mark ?? 'the note'} of ${id} fell from ${was} to ${is}`);
  }
}

function checkHonest(
  log: SharedLog,
  documents: SharedDocuments,
  before: Checkpoint | undefined,
  after: Checkpoint,
): void {
  // Another log was accepted: it is folded from its start.
  const from = before?.incarnation === after.incarnation ? before.position : 0;
  const name = laneName(after);
  require(after.position >=
    from, `no regress: the checkpoint ${name} fell from ${from} to ${after.position}`);
  require(after.epoch >= (before?.epoch ?? 0), `no regress: the epoch of ${name} fell`);
  const { applied, superseded, parked, ignored } = after.counts;
  const counted = applied + superseded + parked + ignored;
  require(counted === after.position, `nothing is lost: ${name} counts ${counted} up to ${after.position}`);
  const records = partitionsOf(log, after.topic)[after.partition] ?? [];
  for (const record of records.slice(from, after.position)) {
    const place = parkedId(after, after.incarnation, record.position);
    const hasParked = documents.collections.get(PARKED.name)?.has(place) === true;
    const expected = expectedOf(record);
    const isDurable =
      hasParked ||
      expected.kind === 'ignored' ||
      (expected.kind !== 'parked' && isFolded(documents, after.readModel, expected.fact));
    require(isDurable, `progress is honest: ${place} is consumed and nowhere to be found`);
  }
}

function isFolded(documents: SharedDocuments, build: string, { id, mark, written }: Fact): boolean {
  const document = bodyOf(documents, build, id) as Document | undefined;
  return revisionOf(document?.registers, mark) >= Number(written.at);
}

/** At the end: the documents are the fold of the log, and every record is folded, parked or ignored, as it must be. */
export function checkEnd(log: SharedLog, documents: SharedDocuments, build: string): void {
  for (const lane of lanesOf(build)) {
    const { counts } = checkpointOf(documents, lane);
    const isParked = parkedIn(documents, lane);
    const expected = recordsOf(log, lane).map(expectedOf);
    for (const [position, { kind }] of expected.entries()) {
      const parked = isParked(position);
      require(kind === 'either' ||
        parked === (kind === 'parked'), `${laneName(lane)}/${position}: ${kind}, parked: ${parked}`);
    }
    const ignored = expected.filter(({ kind }) => kind === 'ignored').length;
    require((counts?.ignored ?? 0) ===
      ignored, `${laneName(lane)} ignored ${counts?.ignored}, not ${ignored}`);
  }
  checkDocuments(
    documents,
    build,
    lanesOf(build).flatMap((lane) => factsOf(log, documents, lane)),
  );
}

/** What the records of a lane say, but for those that are parked. */
export function factsOf(log: SharedLog, documents: SharedDocuments, lane: LaneId): readonly Fact[] {
  const isParked = parkedIn(documents, lane);
  return factsWhere(log, lane, (position) => !isParked(position));
}

/** What those of its records say that are parked. */
export function parkedFacts(log: SharedLog, documents: SharedDocuments, lane: LaneId): readonly Fact[] {
  return factsWhere(log, lane, parkedIn(documents, lane));
}

function factsWhere(log: SharedLog, lane: LaneId, isWanted: (position: number) => boolean): readonly Fact[] {
  return recordsOf(log, lane)
    .map(expectedOf)
    .flatMap((one, position) => ('fact' in one && isWanted(position) ? [one.fact] : []));
}

function recordsOf(log: SharedLog, { topic, partition }: LaneId): readonly LogRecord[] {
  return partitionsOf(log, topic)[partition] ?? [];
}

function checkpointOf(documents: SharedDocuments, lane: LaneId): Partial<Checkpoint> {
  return (bodyOf(documents, CHECKPOINTS.name, laneName(lane)) as Checkpoint | undefined) ?? {};
}

function parkedIn(documents: SharedDocuments, lane: LaneId): (position: number) => boolean {
  const { incarnation = 0 } = checkpointOf(documents, lane);
  const parked = documents.collections.get(PARKED.name);
  return (position) => parked?.has(parkedId(lane, incarnation, position)) === true;
}

/** The documents are the join of these facts, and nothing else. */
export function checkDocuments(documents: SharedDocuments, build: string, facts: readonly Fact[]): void {
  const folded = foldNaively(facts);
  const ids = [...(documents.collections.get(build)?.keys() ?? [])];
  require(ids.length ===
    folded.size, `${ids.length} documents of ${build}, and the log explains ${folded.size}`);
  for (const [id, registers] of folded) {
    const stored = (bodyOf(documents, build, id) as Document | undefined)?.registers ?? null;
    require(text(stored) ===
      text(registers), `${id} of ${build} is ${text(stored)}, and the log says ${text(registers)}`);
  }
}

function text(value: unknown): string {
  return canonical(value as Json);
}

export function require(isKept: boolean, problem: string): void {
  if (!isKept) throw new BrokenPromise(problem);
}
