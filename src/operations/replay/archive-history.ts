import { readPartition, type Archive } from '../../keep/archive-reader.ts';
import { unixMs } from '../../platform/time/instant.ts';
import type { History } from '../../projecting/replay/history.ts';

interface Topics {
  /** By the contract's names. */
  readonly topics: readonly string[];
  /** What this installation calls a topic: its events are decoded by that. */
  readonly topicName: (topic: string) => string;
}

/** What an archive holds of these topics. Reading throws `PermanentError` where a file of it is damaged. */
export function historyOfArchive(archive: Archive, { topics, topicName }: Topics): History {
  const { updated_at, topics: archived } = archive.manifest;
  const found = archived
    .filter(({ name }) => topics.includes(name))
    .flatMap(({ name, partitions }) =>
      partitions.map((own) => ({
        own,
        name,
        held: { topic: topicName(name), partition: own.partition, earliest: own.from, end: own.to },
      })),
    );
  return {
    partitions: found.map(({ held }) => held),
    isCut: found.some(({ own }) => own.from > 0 || own.gaps.length > 0),
    endsAt: unixMs(updated_at),
    read: async function* (asked, signal) {
      const one = found.find(({ held }) => held === asked);
      if (!one) return;
      const topic = asked.topic;
      for await (const batch of readPartition(archive, one.name, one.own, signal)) {
        const records = batch.records.map((record) => ({ ...record, topic }));
        const unreadable = batch.unreadable?.map((range) => ({ ...range, topic }));
        yield { ...batch, records, ...(unreadable && { unreadable }) };
      }
    },
  };
}
