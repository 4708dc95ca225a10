import { chunks } from '../../platform/chunks.ts';
import type { Decode } from '../../events/decode.ts';
import type { CatalogEvent } from '../../events/event.ts';
import type { Log, LogRecord, NewRecord, Place, PositionRange } from '../../events/log/port.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { collectionOf, type Projection, type ReadModelDocument } from '../engine/projection.ts';
import { shortDigest } from '../engine/register.ts';
import { evidenceOf, unitOf, type Evidence, type Unit } from './event-effect-on-document.ts';

export interface ArrivalCounts {
  readonly applied: number;
  readonly duplicate: number;
  readonly superseded: number;
  /** Consumed, and neither in a document nor superseded there: outside of a window, say. */
  readonly absent: number;
  /** The first of those that something took the place of that was there before, or is of somebody else. */
  readonly overruled: readonly OverruledEvent[];
}

interface OverruledEvent {
  readonly id: string;
  readonly subject: string;
  /** Its own revision, round, or instant. */
  readonly own: number | string;
  /** What its document holds instead. Where it is the same, the content decided, and not what was published last. */
  readonly by: number | string;
  readonly unit: Unit;
}

const KEPT = 1000;
const BATCH = 500;

/**
 * What became of events that somebody publishes, by the registers of the documents that they belong to. An event that a
 * document held before is a duplicate, which only a look at the documents before the append can tell.
 * @param projections the live builds.
 */
export function createArrivals(documents: Documents, projections: readonly Projection[], decode: Decode) {
  /** By type and content, the events of this publication: whether it has been looked at, and whether it was there before. */
  const own = new Map<string, { wasThere: boolean; isSeen: boolean }>();
  /** Their contents: what takes the place of an event may be of another type. */
  const contents = new Set<string>();

  const evidences = async (events: readonly CatalogEvent[]): Promise<readonly (Evidence | null)[]> => {
    const found: (Evidence | null)[] = events.map(() => null);
    for (const projection of projections) {
      const ids = events.map((event) => projection.documentId(event));
      const wanted = [...new Set(ids.filter((id) => id !== null))];
      if (wanted.length === 0) continue;
      const stored = await documents.get<ReadModelDocument>(collectionOf(projection), wanted);
      for (const [index, event] of events.entries()) {
        const id = ids[index] ?? null;
        if (id === null) continue;
        const registers = stored.get(id)?.body.registers ?? null;
        const evidence = evidenceOf(projection, registers, event);
        if (found[index]?.outcome !== 'in_force') found[index] = evidence;
      }
    }
    return found;
  };

  return {
    /** Looks at what the documents hold of these events already: before they are appended. */
    before: async (records: readonly NewRecord[]): Promise<void> => {
      // As they will be read: where one stands decides nothing of what it says.
      const unplaced = { partition: 0, position: 0, timestamp: Date.now() };
      const events = records.flatMap((record) => eventOf({ ...record, ...unplaced }, decode) ?? []);
      const there = await evidences(events);
      for (const [index, event] of events.entries()) {
        const content = contentOf(event, shortDigest(event.digest));
        const wasThere = there[index]?.outcome === 'in_force';
        contents.add(content);
        own.getOrInsert(`${event.type} ${content}`, { wasThere, isSeen: false });
      }
    },
    /** What became of the records of these runs, once they have been projected; without those that were parked. */
    after: async (
      log: Log,
      runs: readonly PositionRange[],
      parked: readonly Place[],
      signal: AbortSignal,
    ): Promise<ArrivalCounts> => {
      const counts = { applied: 0, duplicate: 0, superseded: 0, absent: 0 };
      const overruled: OverruledEvent[] = [];
      const unused = new Set(parked.map(nameOf));
      for await (const records of recordsOf(log, runs, signal)) {
        const used = records.filter((record) => !unused.has(nameOf(record)));
        const events = used.flatMap((record) => eventOf(record, decode) ?? []);
        const there = await evidences(events);
        for (const [index, event] of events.entries()) {
          const evidence = there[index];
          if (!evidence) continue;
          const known = own.get(`${event.type} ${contentOf(event, shortDigest(event.digest))}`);
          if (known?.isSeen || known?.wasThere) counts.duplicate += 1;
          else if (evidence.outcome === 'in_force') counts.applied += 1;
          else if (evidence.outcome === 'missing' || evidence.by === null || !evidence.winner)
            counts.absent += 1;
          else {
            counts.superseded += 1;
            const { by, winner } = evidence;
            // A later revision in the same file is what its author meant.
            const { id, subject } = event;
            if (
              overruled.length < KEPT &&
              (winner.over === by || !contents.has(contentOf(event, winner.digest)))
            )
              overruled.push({ id, subject, own: winner.over, by, unit: unitOf(event) });
          }
          if (known) known.isSeen = true;
        }
      }
      return { ...counts, overruled };
    },
  };
}

async function* recordsOf(log: Log, runs: readonly PositionRange[], signal: AbortSignal) {
  for (const { topic, partition, from, to } of runs) {
    for await (const { records } of log.read({ topic, partition, from, to, signal }))
      yield* chunks(records, BATCH);
  }
}

/** A digest knows data and time alone: whoever unpublishes many entries at once gives all of them the same. */
function contentOf({ subject }: CatalogEvent, digest: string): string {
  return `${subject} ${digest}`;
}

function nameOf({ topic, partition, position }: Place): string {
  return `${topic}/${partition}/${position}`;
}

function eventOf(record: LogRecord, decode: Decode): CatalogEvent | null {
  const decoded = decode(record);
  return decoded.outcome === 'event' ? decoded.event : null;
}
