import type { Decode } from '../../events/decode.ts';
import type { CatalogEvent } from '../../events/event.ts';
import type { Batch, LogRecord, Position } from '../../events/log/port.ts';
import { foldFailure } from './batch.ts';
import type { Counts } from './lane.ts';
import { unreadableAs, type Unfoldable } from './parking.ts';
import type { Projection } from './projection.ts';
import type { ProjectorMetrics } from './projector-metrics.ts';
import type { Register } from './register.ts';

/**
 * Records of one lane as what they add to documents: the join of their contributions, by document. Since a fold is a join,
 * a document needs to be read and written once for all of them, however many they are. Plain data throughout, so that
 * another thread can gather it.
 */
export interface Gathered {
  /** What is to be joined to each document's registers. */
  readonly added: Map<string, unknown>;
  /** The documents whose value in `added` is a copy that nobody else holds, so that it may be changed. */
  readonly copied: Set<string>;
  readonly counts: { -readonly [Name in keyof Counts]: Counts[Name] };
  /** How many records were ignored before the fold, by reason. */
  readonly skipped: Map<'tombstone' | 'unknown_type', number>;
  /** How many fields of events no schema knows. */
  unknownFields: number;
  readonly unfoldables: Unfoldable[];
  /** How many events gave a known revision another content. */
  conflicts: number;
  /** Where the lane goes on. */
  next: Position;
  /** The last of the records; null where there was none. */
  last: LogRecord | null;
}

export function gatherNothing(next: Position): Gathered {
  const counts = { applied: 0, superseded: 0, parked: 0, ignored: 0 };
  return {
    added: new Map(),
    copied: new Set(),
    counts,
    skipped: new Map(),
    unknownFields: 0,
    unfoldables: [],
    conflicts: 0,
    next,
    last: null,
  };
}

/** What a batch tells whoever gathers it. */
export type Gatherable = Pick<Batch, 'records' | 'unreadable' | 'next'>;

export interface GatheringParts {
  readonly projection: Pick<Projection, 'documentId' | 'contribution' | 'registers'>;
  readonly decode: Decode;
}

/** Takes records in. What an event adds to others is known here; what it adds to its document, when that is read. */
export function gather(
  gathered: Gathered,
  { records, unreadable = [], next }: Gatherable,
  { projection, decode }: GatheringParts,
): void {
  const { counts, skipped, unfoldables } = gathered;
  unfoldables.push(...unreadable.map(unreadableAs));
  for (const record of records) {
    const result = decode(record);
    switch (result.outcome) {
      case 'event':
        gathered.unknownFields += result.unknownFields;
        add(gathered, projection, record, result.event);
        break;
      case 'skipped':
        counts.ignored += 1;
        skipped.set(result.reason, (skipped.get(result.reason) ?? 0) + 1);
        break;
      case 'rejected':
        unfoldables.push({ record, rejection: result.rejection });
        break;
    }
  }
  counts.parked = unfoldables.length;
  gathered.next = next;
  gathered.last = records.at(-1) ?? gathered.last;
}

/** Hands it over: from now on others hold it, too, so nothing of it is changed any more. */
export function handOver(gathered: Gathered): Gathered {
  gathered.copied.clear();
  return gathered;
}

/** Counts what was ignored, and what no schema knows, once it is durable that it was. */
export function countIgnored(
  { skipped, unknownFields }: Pick<Gathered, 'skipped' | 'unknownFields'>,
  metrics: Pick<ProjectorMetrics, 'skipped' | 'unknownFields'>,
): void {
  for (const [reason, count] of skipped) metrics.skipped.inc({ reason }, count);
  if (unknownFields > 0) metrics.unknownFields.inc(unknownFields);
}

function add(
  gathered: Gathered,
  projection: GatheringParts['projection'],
  record: LogRecord,
  event: CatalogEvent,
): void {
  const { added, counts, unfoldables } = gathered;
  const { registers } = projection;
  try {
    const id = projection.documentId(event);
    if (id === null) {
      counts.ignored += 1;
      return;
    }
    const contribution = projection.contribution(event);
    const before = added.get(id);
    if (before === undefined) {
      added.set(id, contribution);
      counts.applied += 1;
      return;
    }
    gathered.conflicts += registers.conflicts(before, contribution);
    counts[joinTo(gathered, id, contribution, registers) ? 'applied' : 'superseded'] += 1;
  } catch (thrown) {
    unfoldables.push({ record, rejection: foldFailure(event, thrown) });
  }
}

/** Joins a contribution to what was gathered of a document before. Says whether that added anything. */
function joinTo(
  { added, copied }: Gathered,
  id: string,
  contribution: unknown,
  registers: Register<unknown>,
): boolean {
  const before = added.get(id);
  const { inPlace } = registers;
  if (!inPlace) {
    const joined = registers.join(before, contribution);
    added.set(id, joined);
    return joined !== before;
  }
  const holder = { state: before };
  if (!copied.has(id)) {
    holder.state = inPlace.copy(before);
    added.set(id, holder.state);
    copied.add(id);
  }
  const adds = inPlace.joinAt(holder, 'state', contribution);
  added.set(id, holder.state);
  return adds;
}
