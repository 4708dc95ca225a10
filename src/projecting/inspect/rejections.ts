import { partitionOf } from '../../events/log/partition.ts';
import type { Log, LogRecord } from '../../events/log/port.ts';
import { readRejected, type Rejection } from '../../events/rejection.ts';
import { Stopped } from '../engine/retry.ts';

/** What upstream reads on the topic of rejections: one announcement for each event that was parked. */
export interface Announcement extends Omit<Rejection, 'code'> {
  /** One of a newer release, perhaps. */
  readonly code: string;
  /** The id of the parked event. */
  readonly parkedId: string;
  readonly readModel: string;
  readonly topic: string;
  readonly partition: number;
  readonly position: number;
  /** When it was announced, Unix milliseconds. */
  readonly announcedAt: number;
}

interface ReadOptions {
  /** The topic's name in the log. */
  readonly topic: string;
  /** The source whose announcements are wanted; null for all. */
  readonly source: string | null;
  /** Not those before this moment, Unix milliseconds. */
  readonly since: number;
  /** The newest of them. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

interface Rejections {
  /** The newest ones, oldest first. */
  readonly announcements: readonly Announcement[];
  /** Older ones that were left out. */
  readonly older: number;
  /** Records of the same time and key that are no announcements: anybody may write to a topic. */
  readonly skipped: number;
}

/** @throws {Stopped} where the signal was aborted. */
export async function readRejections(
  log: Log,
  { topic, source, since, limit, signal }: ReadOptions,
): Promise<Rejections> {
  const ends = await log.ends(topic);
  const found: Announcement[] = [];
  let older = 0;
  let skipped = 0;
  for (const { partition, earliest, latest, readable = latest } of ends) {
    // Announcements are keyed by their source.
    if (source !== null && partition !== partitionOf(source, ends.length)) continue;
    for await (const batch of log.read({ topic, partition, from: earliest, to: readable, signal })) {
      for (const record of batch.records) {
        if (record.timestamp < since || (source !== null && record.key !== source)) continue;
        const announcement = read(record);
        if (announcement) found.push(announcement);
        else skipped += 1;
      }
      if (found.length > 2 * limit) older += keepNewest(found, limit);
    }
  }
  if (signal.aborted) throw new Stopped('stopped while the log was read');
  older += keepNewest(found, limit);
  return { announcements: found, older, skipped };
}

function keepNewest(found: Announcement[], limit: number): number {
  found.sort((a, b) => a.announcedAt - b.announcedAt);
  return found.splice(0, Math.max(0, found.length - limit)).length;
}

/** null for what is none of ours. */
function read({ value, timestamp }: LogRecord): Announcement | null {
  const announced = readRejected(value);
  if (!announced) return null;
  const { read_model: readModel, ...data } = announced.data;
  return { ...data, readModel, parkedId: announced.id, announcedAt: timestamp };
}
