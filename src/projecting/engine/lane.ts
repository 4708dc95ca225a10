import type { PartitionEnds, PartitionId, Position } from '../../events/log/port.ts';
import { problem, type Halt } from '../../findings/finding.ts';
import { englishOf, lineOf } from '../../findings/finding-texts.ts';
import type { CollectionSpec, Documents } from '../../stores/documents/port.ts';

/**
 * A lane is one projection version reading one partition of one topic. Its state is one guarded document: the
 * checkpoint. A worker *claims* the lane (epoch + 1), *advances* it after each batch, and finds out that it was
 * *replaced* when another worker's claim stands in the document. A lane whose checkpoint no longer fits the log is
 * *halted*: never reset in silence.
 */
export interface LaneId extends PartitionId {
  /** The projection's version, as its collection is named: `listings@1`. */
  readonly readModel: string;
}

export const CHECKPOINTS: CollectionSpec = { name: 'checkpoints', indexes: [] };

/** `catalog.entries/0` */
export function partitionName({ topic, partition }: PartitionId): string {
  return `${topic}/${partition}`;
}

/** `listings@1/catalog.entries/0` */
export function laneName(lane: LaneId): string {
  return `${lane.readModel}/${partitionName(lane)}`;
}

/**
 * Lanes of one partition number take turns: the same key has the same partition number on every topic, so they share
 * documents, and would only run into each other's guards. Lanes of different numbers share none and run side by side.
 */
export function serialKey({ readModel, partition }: LaneId): string {
  return `${readModel}/${partition}`;
}

export interface Checkpoint extends LaneId {
  /** The position after the last record whose effect is durable. */
  readonly position: Position;
  /** Raised by every claim. */
  readonly epoch: number;
  readonly owner: string;
  /** What became of every record since the lane's beginning; their sum is the number of records consumed. */
  readonly counts: Counts;
  /** How often a younger log was accepted: a position means another record under each. */
  readonly incarnation: number;
  /** The last record consumed; null before the first, and after another log was accepted. */
  readonly last: LastRecord | null;
  readonly halted: Halt | null;
  /** The token of the pause of its build (src/stores/aliases.ts) that the lane keeps; null where it keeps none. */
  readonly quiet: string | null;
}

/** The lanes of a build as their checkpoints say, whatever release projects it. */
export async function lanesOf(
  documents: Pick<Documents, 'scan'>,
  build: string,
): Promise<readonly Checkpoint[]> {
  const stored = await Array.fromAsync(documents.scan<Checkpoint>(CHECKPOINTS.name));
  return stored.flat().flatMap(({ body }) => (body.readModel === build ? body : []));
}

/**
 * The last record that a lane has consumed, so that a log that was restored or made again is told from the one that was
 * read, even where it has grown past the checkpoint.
 *
 * What stays undetected: a log that holds a record of the same bytes and the same time at this very position, and other
 * records elsewhere. A log that was published again has other times, unless its records were copied with theirs.
 */
export interface LastRecord {
  readonly position: Position;
  /** The log's own time of the record, Unix milliseconds. */
  readonly time: number;
  /** SHA-256, base64url: see `recordDigest` in log-fit.ts. */
  readonly digest: string;
}

export interface Counts {
  readonly applied: number;
  readonly superseded: number;
  readonly parked: number;
  readonly ignored: number;
}

export const NO_COUNTS: Counts = { applied: 0, superseded: 0, parked: 0, ignored: 0 };

/** Why a lane has halted, and what to do next: one line for people. */
export function explainHalt(lane: LaneId, halt: Halt): string {
  const subject = laneName(lane);
  return `${subject}: ${lineOf(problem(subject, null, { code: 'halted', halt, reason: null }))}`;
}

/** Why alone. */
export function reasonOfHalt(lane: LaneId, halt: Halt): string {
  return englishOf(problem(laneName(lane), null, { code: 'halted', halt, reason: null })).says;
}

/** Why a lane at this position cannot go on between these ends of the log; null where they do not forbid it. */
export function haltOf(
  { position }: Pick<Checkpoint, 'position'>,
  { earliest, latest }: PartitionEnds,
): Halt | null {
  if (position < earliest) return { reason: 'gap', from: position, to: earliest };
  if (position > latest) return { reason: 'log_younger', position, latest };
  return null;
}
