import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { onTestFinished, vi } from 'vitest';

import type {
  Assignment,
  Batch,
  Log,
  LogRecord,
  NewRecord,
  Place,
  Position,
} from '../../src/events/log/port.ts';
import type { LogOpener } from './log-process.ts';

/** One storage that a contract suite runs on, shared by all of its tests. */
export interface LogFixture extends AsyncDisposable {
  /** A new client on the storage. The suite disposes it. */
  open(): Promise<Log>;
  /** How another process opens a client on it. */
  readonly opener: LogOpener;
  /** Makes every append fail, for all clients, until it is disposed. */
  cut(): Promise<AsyncDisposable>;
  /** Puts the records of a partition below a position out of reach, as retention does. */
  forget(topic: string, partition: number, before: Position): Promise<void>;
  /** Raises the number of a topic's partitions, behind the port's back. */
  addPartitions(topic: string, count: number): Promise<void>;
  /** How long a group may take to settle after a member came, went or died, in milliseconds. */
  readonly settleMs: number;
}

/** A client that is disposed when the test has finished. */
export async function openLog(fixture: LogFixture): Promise<Log> {
  const log = await fixture.open();
  onTestFinished(() => log[Symbol.asyncDispose]());
  return log;
}

/** A client that is disposed when the test has finished, and a topic that no other test uses. */
export async function openTopic(
  fixture: LogFixture,
  partitions = 1,
): Promise<{ readonly log: Log; readonly topic: string }> {
  const log = await openLog(fixture);
  return { log, topic: await freshTopic(log, partitions) };
}

export function freshName(): string {
  return `contract.${randomUUID()}`;
}

/** A topic that no other test uses. */
export async function freshTopic(log: Log, partitions = 1): Promise<string> {
  const name = freshName();
  await log.ensureTopics([{ name, partitions, retentionMs: null }]);
  return name;
}

export function textRecord(topic: string, key: string | null, text: string): NewRecord {
  return { topic, key, value: Buffer.from(text), headers: {} };
}

/** `0`, `1`, ... under one key. */
export function numbered(topic: string, count: number, key = 'key'): NewRecord[] {
  return Array.from({ length: count }, (_, index) => textRecord(topic, key, String(index)));
}

export function textOf(record: LogRecord): string | null {
  return record.value === null ? null : Buffer.from(record.value).toString('utf8');
}

export function positionsOf(places: readonly Place[]): Position[] {
  return places.map(({ position }) => position);
}

/** Every record of a topic up to its ends, partition by partition. */
export async function readTopic(log: Log, topic: string): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for (const { partition, earliest, latest, readable = latest } of await log.ends(topic)) {
    for (const batch of await readBatches(log, topic, partition, earliest, readable))
      records.push(...batch.records);
  }
  return records;
}

export async function readBatches(
  log: Log,
  topic: string,
  partition: number,
  from: Position,
  to: Position,
): Promise<Batch[]> {
  const batches: Batch[] = [];
  for await (const batch of log.read({ topic, partition, from, to })) batches.push(batch);
  return batches;
}

/** A member of a group, with what it holds, by `TOPIC/PARTITION`, as its handlers were told. */
export async function join(log: Log, group: string, topics: readonly string[]) {
  const held = new Map<string, Assignment>();
  const gained: string[] = [];
  const lost: string[] = [];
  const nameOf = ({ topic, partition }: Assignment): string => `${topic}/${partition}`;
  const subscription = await log.subscribe(group, topics, {
    assigned: (assignment) => {
      held.set(nameOf(assignment), assignment);
      gained.push(nameOf(assignment));
    },
    revoked: (assignment) => {
      held.delete(nameOf(assignment));
      lost.push(nameOf(assignment));
    },
  });
  const leave = (): Promise<void> => Promise.resolve(subscription[Symbol.asyncDispose]());
  onTestFinished(leave);
  return { held, gained, lost, leave };
}

/** The first partition of a topic in the hands of a group's only member. */
export async function onlyAssignment(
  fixture: Pick<LogFixture, 'settleMs'>,
  log: Log,
  topic: string,
): Promise<Assignment> {
  const member = await join(log, freshName(), [topic]);
  return eventually(fixture, () => {
    const assignment = member.held.get(`${topic}/0`);
    if (!assignment) throw new Error('not assigned yet');
    return assignment;
  });
}

/** Far longer than any test: whoever waits for so long must be woken. */
export const FOR_EVER_MS = 3_600_000;

/** The next `count` records from a position, over as many fetches as it takes. Refuses batches that do not join on. */
export async function fetchRecords(
  assignment: Assignment,
  from: Position,
  count: number,
): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for (let position = from; records.length < count;) {
    // What was taken away gives nothing any more, and waits for nothing.
    if (assignment.signal.aborted) throw new Error('The partition was taken away');
    const batch = await assignment.fetch(position, {
      maxRecords: count - records.length,
      maxWaitMs: FOR_EVER_MS,
    });
    if (batch.from !== position) continue;
    records.push(...batch.records);
    position = batch.next;
  }
  return records;
}

/** Lets everything that is ready run, several times over: a fetch that has nothing to give then waits. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
}

/** Waits until `check` no longer throws. */
export function eventually<T>(
  fixture: Pick<LogFixture, 'settleMs'>,
  check: () => T | Promise<T>,
): Promise<T> {
  return vi.waitFor(check, { timeout: fixture.settleMs, interval: 20 });
}
