import { canonical } from '../../src/platform/canonical.ts';
import type { Json } from '../../src/platform/json.ts';
import { CHECKPOINTS, laneName, type Checkpoint } from '../../src/projecting/lane.ts';
import { PARKED, parkedId } from '../../src/projecting/parking.ts';
import type { ReadModelDocument } from '../../src/projecting/projection.ts';
import { expectedOf, foldNaively, revisionOf, type Fact } from './expected.ts';
import type { Registers } from './notes-and-marks.ts';
import { bodyOf, type SharedDocuments } from './simulated-documents.ts';
import { partitionsOf, type SharedLog } from './simulated-log.ts';

/** What must never be untrue, whatever fails, and what must be true in the end. */

export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise';
}

const COLLECTION = 'notes@1';

/** At every write: no register falls back, and no checkpoint runs ahead of what is durable. Throws `BrokenPromise`. */
export function checkWrite(
  log: SharedLog,
  documents: SharedDocuments,
  { collection, id, before, after }: Written,
): void {
  if (collection === COLLECTION) {
    checkNoRegress(id, before as Document | undefined, after as Document);
  } else if (collection === CHECKPOINTS.name) {
    checkHonest(log, documents, before as Checkpoint | undefined, after as Checkpoint);
  }
}

export interface Written {
  readonly collection: string;
  readonly id: string;
  readonly before: unknown;
  readonly after: unknown;
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
  const from = before?.position ?? 0;
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
    const isParked = bodyOf(documents, PARKED.name, place) !== undefined;
    const expected = expectedOf(record);
    const isDurable =
      isParked ||
      expected.kind === 'ignored' ||
      (expected.kind !== 'parked' && isFolded(documents, expected.fact));
    require(isDurable, `progress is honest: ${place} is consumed and nowhere to be found`);
  }
}

function isFolded(documents: SharedDocuments, { id, mark, written }: Fact): boolean {
  const document = bodyOf(documents, COLLECTION, id) as Document | undefined;
  return revisionOf(document?.registers, mark) >= Number(written.at);
}

/** At the end: the documents are the fold of the log, and every record is folded, parked or ignored, as it must be. */
export function checkEnd(log: SharedLog, documents: SharedDocuments): void {
  const facts: Fact[] = [];
  for (const topic of ['notes', 'marks']) {
    for (const [partition, records] of partitionsOf(log, topic).entries()) {
      const lane = { readModel: COLLECTION, topic, partition };
      const counts = (bodyOf(documents, CHECKPOINTS.name, laneName(lane)) as Checkpoint | undefined)?.counts;
      const expected = records.map(expectedOf);
      for (const [position, { kind }] of expected.entries()) {
        const place = parkedId(lane, 0, position);
        const isParked = bodyOf(documents, PARKED.name, place) !== undefined;
        require(kind === 'either' ||
          isParked === (kind === 'parked'), `${place}: ${kind}, parked: ${isParked}`);
        const one = expected[position];
        if (one && 'fact' in one && !isParked) facts.push(one.fact);
      }
      const ignored = expected.filter(({ kind }) => kind === 'ignored').length;
      require((counts?.ignored ?? 0) ===
        ignored, `${laneName(lane)} ignored ${counts?.ignored}, not ${ignored}`);
    }
  }
  checkDocuments(documents, facts);
}

function checkDocuments(documents: SharedDocuments, facts: readonly Fact[]): void {
  const folded = foldNaively(facts);
  const ids = [...(documents.collections.get(COLLECTION)?.keys() ?? [])];
  require(ids.length === folded.size, `${ids.length} documents, and the log explains ${folded.size}`);
  for (const [id, registers] of folded) {
    const stored = (bodyOf(documents, COLLECTION, id) as Document | undefined)?.registers ?? null;
    require(text(stored) ===
      text(registers), `${id} is ${text(stored)}, and the log says ${text(registers)}`);
  }
}

function text(value: unknown): string {
  return canonical(value as Json);
}

export function require(isKept: boolean, problem: string): void {
  if (!isKept) throw new BrokenPromise(problem);
}
