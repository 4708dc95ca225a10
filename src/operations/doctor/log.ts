import type { Parts } from '../../compose/parts.ts';
import type { LogRecord } from '../../events/log/port.ts';
import { REJECTED, TOPICS } from '../../events/event-types.ts';
import { judgeClock, notChecked, ok, warning, type Area, type Look } from './check.ts';
import texts from './texts.json' with { type: 'json' };
import { topicChecks, topicsArea } from './topics.ts';

/** The topics, and whether a record of each can be read. */
export const logArea: Area = {
  ...topicsArea,
  checks: (parts) => {
    const { log, clock, config, topicName } = parts;
    const read = TOPICS.map(({ name }) => topicName(name)).filter((name) => name !== topicName(REJECTED));
    const newest: number[] = [];
    return [
      ...topicChecks(parts),
      ...read.map((name) => ({
        name: `may read ${name}`,
        hint: texts.log.read,
        look: async () => {
          // That it is missing is told already.
          if ((await log.partitionCount(name).catch(() => 0)) === 0) return null;
          const record = await lastRecord(parts, name);
          if (record) newest.push(record.timestamp);
          return ok(record ? 'a record was read.' : 'it is empty; its ends can be read.');
        },
      })),
      { name: 'partitions', hint: texts.log.reach, look: () => lookAtPartitions(parts, read) },
      {
        name: 'clock',
        // It cannot be asked. Its newest record may not be from the future.
        look: () => {
          if (config.logUrl.scheme === 'sqlite') return ok('it is on this machine.');
          if (newest.length === 0) return notChecked('no record tells the time of the log.');
          return judgeClock(Math.max(0, Math.max(...newest) - clock.now()));
        },
      },
    ];
  },
};

async function lookAtPartitions({ log }: Parts, topics: readonly string[]): Promise<Look | null> {
  const counts = await Promise.all(topics.map((name) => log.partitionCount(name).catch(() => 0)));
  if (new Set(counts.filter((count) => count > 0)).size <= 1) return null;
  return warning(
    `topics differ: ${topics.map((name, at) => `${name} ${counts[at]}`).join(', ')}. Workers of one document get into each other's way.`,
    'Give all topics the number of the largest.',
  );
}

const READ_MS = 10_000;
/** The last positions may be those of a transaction's end, which are no records. */
const LAST = 10;

/** One of the newest records that can be read; null where the topic is empty. */
async function lastRecord({ log }: Parts, topic: string): Promise<LogRecord | null> {
  const signal = AbortSignal.timeout(READ_MS);
  for (const { partition, earliest, latest, readable = latest } of await log.ends(topic)) {
    if (readable <= earliest) continue;
    const from = Math.max(earliest, readable - LAST);
    for await (const { records } of log.read({ topic, partition, from, to: readable, signal })) {
      const last = records.at(-1);
      if (last) return last;
    }
  }
  return null;
}
