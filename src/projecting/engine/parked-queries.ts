import type { PositionRange } from '../../events/log/port.ts';
import type { RejectionCode } from '../../events/rejection.ts';
import { chunks } from '../../platform/chunks.ts';
import { pagesOf } from '../../stores/documents/pages.ts';
import type { Documents, Query, Stored } from '../../stores/documents/port.ts';
import { type Checkpoint, CHECKPOINTS, laneName, partitionName } from './lane.ts';
import { incarnationOf, PARKED, type ParkedEvent } from './parking.ts';

/** What is asked for of the parked events; what is null or absent selects nothing. */
export interface ParkedFilter {
  readonly topic?: string | undefined;
  readonly code?: string | undefined;
  readonly source?: string | undefined;
  /** Parked at this moment or later, Unix milliseconds. */
  readonly since?: number | undefined;
}

/** In one read of whole bodies, of up to 700 KB each: of 500 large ones a heap of 256 MB runs out. */
const PAGE = 25;
/** In one read of places. */
const PLACES = 2000;

/** What is looked at of all of them: little beside what they hold. */
type ParkedHead = Pick<ParkedEvent, 'parkedAt' | 'topic' | 'rejection'>;
const CHOSEN = ['parkedAt', 'topic', 'rejection'] satisfies (keyof ParkedHead)[];

/** Those that wait for a decision, oldest first, in pages. Not a snapshot. */
export async function* parkedEvents(
  documents: Documents,
  { topic, code, source, since }: ParkedFilter,
): Pages {
  const where = { state: 'parked', ...(since === undefined ? {} : { parkedAt: { gte: since } }) };
  const chosen: { readonly id: string; readonly at: number }[] = [];
  for await (const page of pagesOf<ParkedHead>(documents, PARKED.name, {
    where,
    limit: PLACES,
    keys: CHOSEN,
  })) {
    for (const { id, body } of page) {
      const isWanted =
        (topic === undefined || body.topic === topic) &&
        (code === undefined || body.rejection.code === code) &&
        (source === undefined || body.rejection.source === source);
      if (isWanted) chosen.push({ id, at: body.parkedAt });
    }
  }
  // They come by id.
  chosen.sort((one, other) => one.at - other.at);
  for (const some of chunks(chosen, PAGE)) {
    const ids = some.map(({ id }) => id);
    const stored = await documents.get<ParkedEvent>(PARKED.name, ids);
    yield ids.flatMap((id) => stored.get(id) ?? []).filter(({ body }) => body.state === 'parked');
  }
}

/** Those that have waited longest for a decision. Each comes with its bytes: no more are read than are asked for. */
export async function oldestParked(
  documents: Documents,
  limit: number,
): Promise<readonly Stored<ParkedEvent>[]> {
  const query = { where: { state: 'parked' }, order: ['parkedAt'], limit };
  return (await documents.find<ParkedEvent>(PARKED.name, query)).documents;
}

type Pages = AsyncGenerator<readonly Stored<ParkedEvent>[]>;

/** Those of a build that upstream was not told of, in pages. Those that were decided about may be among them. */
export function unannouncedEvents(documents: Documents, build: string): Pages {
  return allOf(documents, { unannounced: true, readModel: build });
}

/** All that a build has parked, whatever became of it, in pages. */
export function everyParked(documents: Documents, build: string): Pages {
  const states = ['parked', 'discarded', 'redriven'] satisfies ParkedEvent['state'][];
  return allOf(documents, { state: { in: states }, readModel: build });
}

/** Those that somebody redrives, or was redriving when that command was killed. */
export function begunRedrives(documents: Documents): Pages {
  return allOf(documents, { redriving: true });
}

function allOf(documents: Documents, where: Query['where']): Pages {
  return pagesOf(documents, PARKED.name, { where, limit: PAGE });
}

/** Those of the records in these runs that were parked and wait for a decision, and not those of another log at the same places. */
export async function parkedAt(
  documents: Documents,
  runs: readonly PositionRange[],
): Promise<readonly Stored<ParkedEvent>[]> {
  const byPartition = Map.groupBy(runs, partitionName);
  const lanes = (await Array.fromAsync(documents.scan<Checkpoint>(CHECKPOINTS.name))).flat();
  const incarnations = new Map(lanes.map(({ id, body }) => [id, body.incarnation]));
  const found: Stored<ParkedEvent>[] = [];
  for await (const page of parkedEvents(documents, {})) {
    for (const stored of page) {
      const { position, to: end = position + 1 } = stored.body;
      if (incarnationOf(stored.id) !== (incarnations.get(laneName(stored.body)) ?? 0)) continue;
      const own = byPartition.get(partitionName(stored.body)) ?? [];
      if (own.some(({ from, to }) => from < end && position < to)) found.push(stored);
    }
  }
  return found;
}

/** How many wait for a decision, by what they were refused for; most first. */
export async function countParked(documents: Documents) {
  const by = ['readModel', 'topic', 'rejection.code'];
  const groups = await documents.count(PARKED.name, { where: { state: 'parked' }, by });
  return groups
    .map(({ values: [readModel, topic, code], count }) => ({
      readModel: String(readModel),
      topic: String(topic),
      code: code as RejectionCode,
      count,
    }))
    .sort((a, b) => b.count - a.count);
}
