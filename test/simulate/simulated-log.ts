import { partitionOf } from '../../src/events/log/partitioner.ts';
import type {
  Assignment,
  Log,
  LogRecord,
  NewRecord,
  Place,
  ReadRange,
  SubscriptionHandlers,
} from '../../src/events/log/port.ts';
import { RetryableError } from '../../src/platform/errors.ts';
import type { Worker } from './worker.ts';
import type { World } from './world.ts';

/** The records of each topic's partitions, and which workers believe to hold them. */
export interface SharedLog {
  readonly topics: ReadonlyMap<string, readonly LogRecord[][]>;
  readonly members: Set<Member>;
  /** Topics that a busy broker does not know for a while, or takes for empty ones. */
  readonly hidden: Map<string, { readonly until: number; readonly as: 'unknown' | 'empty' }>;
}

/** A subscription. Assigning and revoking is up to the simulation, which may give one partition to several members. */
export interface Member {
  readonly worker: Worker;
  /** Named as the build is. */
  readonly group: string;
  readonly topics: readonly string[];
  assign(topic: string, partition: number): void;
  revokeAll(): void;
  isHolding(topic: string, partition: number): boolean;
}

export function createLog(topics: Readonly<Record<string, number>>): SharedLog {
  const partitions = Object.entries(topics).map(
    ([name, count]) => [name, Array.from({ length: count }, (): LogRecord[] => [])] as const,
  );
  return { topics: new Map(partitions), members: new Set(), hidden: new Map() };
}

export function partitionsOf({ topics }: SharedLog, topic: string): readonly LogRecord[][] {
  return topics.get(topic) ?? [];
}

export function appendRecord(log: SharedLog, record: NewRecord, timestamp: number): Place {
  const partitions = partitionsOf(log, record.topic);
  const partition = partitionOf(record.key, partitions.length);
  const records = partitions[partition] ?? [];
  const place = { topic: record.topic, partition, position: records.length };
  records.push({ ...record, ...place, timestamp });
  return place;
}

/** A partition as an older backup has it: it ends at `length`, and what comes next is not what once came. */
export function restorePartition(log: SharedLog, topic: string, partition: number, length: number): void {
  partitionsOf(log, topic)[partition]?.splice(length);
}

/** The shared log through one worker's connection. */
export function connectLog(shared: SharedLog, worker: Worker): Log {
  const { world } = worker;
  const recordsOf = (topic: string, partition: number): LogRecord[] =>
    partitionsOf(shared, topic)[partition] ?? [];
  const hiddenAs = (topic: string): 'unknown' | 'empty' | null => {
    const hidden = shared.hidden.get(topic);
    if (hidden === undefined || hidden.until < world.now()) return null;
    world.happen(`topic ${hidden.as}`);
    return hidden.as;
  };

  async function* read(range: ReadRange): ReturnType<Log['read']> {
    const { topic, partition, from, to, signal } = range;
    for (let position = from; position < to && !signal?.aborted;) {
      const batch = await worker.call('read', () => {
        const records = recordsOf(topic, partition).slice(position, Math.min(to, position + 5));
        return { from: position, next: position + records.length, records };
      });
      // What a log that was restored no longer holds is waited for.
      if (batch.records.length === 0) await worker.clock.sleep(LOOK_MS, signal);
      else yield batch;
      position = batch.next;
    }
  }

  return {
    ensureTopics: async () => undefined,
    partitionCount: async (topic) => partitionsOf(shared, topic).length,
    topicSettings: async () => null,
    append: (records) =>
      worker.call('append', (extent) => {
        if (records.some(({ topic }) => hiddenAs(topic) === 'unknown'))
          throw new RetryableError('unknown topic');
        return records
          .slice(extent === 'part' ? 1 : 0)
          .map((record) => appendRecord(shared, record, world.now()));
      }),
    ends: (topic) =>
      worker.call('ends', () => {
        const as = hiddenAs(topic);
        if (as === 'unknown') return [];
        return partitionsOf(shared, topic).map(({ length }, partition) => ({
          partition,
          earliest: 0,
          latest: as === 'empty' ? 0 : length,
        }));
      }),
    read,
    subscribe: async (group, topics, handlers) => {
      // A subscription that was refused has not joined.
      await worker.call('subscribe', () => undefined);
      const member = createMember(worker, group, topics, handlers, recordsOf);
      shared.members.add(member);
      return {
        [Symbol.asyncDispose]: async () => {
          shared.members.delete(member);
          member.revokeAll();
        },
      };
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

function createMember(
  worker: Worker,
  group: string,
  topics: readonly string[],
  handlers: SubscriptionHandlers,
  recordsOf: (topic: string, partition: number) => readonly LogRecord[],
): Member {
  const held = new Map<string, { readonly assignment: Assignment; readonly taken: AbortController }>();
  return {
    worker,
    group,
    topics,
    isHolding: (topic, partition) => held.has(`${topic}/${partition}`),
    assign: (topic, partition) => {
      if (held.has(`${topic}/${partition}`)) return;
      const taken = new AbortController();
      const fetch = fetching(worker, () => recordsOf(topic, partition), taken.signal);
      const confirm = (): Promise<boolean> => worker.call('confirm', () => !taken.signal.aborted);
      const assignment = { topic, partition, signal: taken.signal, fetch, confirm };
      held.set(`${topic}/${partition}`, { assignment, taken });
      handlers.assigned(assignment);
    },
    revokeAll: () => {
      for (const { assignment, taken } of held.values()) {
        taken.abort();
        handlers.revoked(assignment);
      }
      held.clear();
    },
  };
}

/** How often a fetch that waits looks for what has come, in simulated milliseconds. */
const LOOK_MS = 1000;

function fetching(
  worker: Worker,
  records: () => readonly LogRecord[],
  taken: AbortSignal,
): Assignment['fetch'] {
  // A worker passes one signal until a pause ends its wait.
  let combined: { readonly signal: AbortSignal; readonly over: AbortSignal } | null = null;
  return async (from, { maxRecords, maxWaitMs, signal }) => {
    if (signal && signal !== combined?.signal) combined = { signal, over: AbortSignal.any([taken, signal]) };
    const over = signal && combined ? combined.over : taken;
    const nothing = { from, next: from, records: [] };
    if (over.aborted) return nothing;
    for (let left = maxWaitMs; ; left -= LOOK_MS) {
      const batch = await worker.call('fetch', () => {
        const start = startingAt(worker.world, from, records().length);
        const found = records().slice(start, start + 1 + Math.floor(worker.world.random() * maxRecords));
        return { from: start, next: start + found.length, records: found };
      });
      if (over.aborted) return nothing;
      if (batch.from !== from || batch.next !== from) return batch;
      await worker.clock.sleep(Math.min(left, LOOK_MS), over);
      if (over.aborted || left <= LOOK_MS) return nothing;
    }
  };
}

/** Where fetching really starts: elsewhere now and then, as with a client that had fetched before it was told to seek. */
function startingAt(world: World, from: number, latest: number): number {
  if (!world.chance(world.faults / 2)) return from;
  world.happen('fetched elsewhere');
  return Math.min(latest, Math.max(0, from + world.pick([-3, -1, 1, 2])));
}
