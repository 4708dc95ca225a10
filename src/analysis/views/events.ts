import { readContent } from '../../events/content.ts';
import { asFirstAppended } from '../../events/original-time.ts';
import type { LogRecord, UnreadableRange } from '../../events/log/port.ts';
import { toInstant } from '../../platform/instant.ts';
import { Stopped } from '../../projecting/engine/retry.ts';
import { at, column } from '../column.ts';
import { rowOf, type Sources, type View } from '../view.ts';

/** One record of the log, or a range of it that nobody can read. */
interface Told {
  readonly topic: string;
  readonly partition: number;
  readonly position: number;
  readonly timestamp: number;
  readonly key: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** The CloudEvent as it came, unchecked; null where there is none. */
  readonly event: unknown;
  readonly problem: string | null;
}

const COLUMNS = {
  topic: column<Told>('text', 'The topic, with its prefix.', ({ topic }) => topic),
  partition: column<Told>('integer', 'The partition of the topic.', ({ partition }) => partition),
  position: column<Told>('integer', 'The place in the partition.', ({ position }) => position),
  recorded_at: column<Told>(
    'time',
    'When the log took it; after a restore from an archive, when the first log did; of a simulated history, when it happened.',
    ({ timestamp }) => toInstant(timestamp),
  ),
  key: column<Told>('text', 'The key of the record.', ({ key }) => key),
  id: column<Told>('text', 'The id of the event.', of('id')),
  source: column<Told>('text', 'Who published it.', of('source')),
  type: column<Told>('text', 'The type with its version: `catalog.entry.published.v1`.', of('type')),
  subject: column<Told>('text', 'What it is about: the slug, category or target.', of('subject')),
  time: column<Told>('time', 'When it happened, by its source.', of('time')),
  data: column<Told>('json', 'The data as it came: not checked, not upcast.', of('data')),
  headers: column<Told>('json', 'The headers of the record.', ({ headers }) => headers),
  problem: column<Told>(
    'text',
    'Why it is no event: it cannot be read, or has no value.',
    ({ problem }) => problem,
  ),
};

/** The log as it is: what is parked, superseded or a duplicate stands in it too. */
export const events: View = {
  name: 'events',
  readModel: null,
  meaning:
    'A row for each record that the log holds in the topics of the read models, as it came: those that were parked, and duplicates, too.',
  columns: COLUMNS,
  size: async (sources) => {
    const ends = await Promise.all(sources.topics.map((topic) => sources.log.ends(topic)));
    return ends.flat().reduce((sum, { earliest, latest, readable = latest }) => sum + readable - earliest, 0);
  },
  batches: readRecords,
};

const toRow = rowOf(COLUMNS);

async function* readRecords({ log, topics, signal }: Sources) {
  for (const topic of topics) {
    for (const { partition, earliest, latest, readable = latest } of await log.ends(topic)) {
      if (earliest >= readable) continue;
      for await (const batch of log.read({ topic, partition, from: earliest, to: readable, signal })) {
        const { records, unreadable = [] } = batch;
        const rows = [...records.map(asFirstAppended).map(told), ...unreadable.map(untold)].map(toRow);
        yield { read: batch.next - batch.from, rows };
      }
      // A read ends quietly where it is told to stop.
      if (signal.aborted) throw new Stopped('stopped');
    }
  }
}

function told(record: LogRecord): Told {
  const { topic, partition, position, timestamp, key, headers, value } = record;
  const where = { topic, partition, position, timestamp, key, headers };
  if (value === null) return { ...where, event: null, problem: 'it has no value: a tombstone' };
  const content = readContent(record, value);
  if ('problem' in content) return { ...where, event: null, problem: content.problem.reason };
  return { ...where, event: content.event, problem: null };
}

function untold({ topic, partition, from, timestamp, reason }: UnreadableRange): Told {
  return {
    topic,
    partition,
    position: from,
    timestamp,
    key: null,
    headers: {},
    event: null,
    problem: reason,
  };
}

function of(attribute: string): (told: Told) => unknown {
  return ({ event }) => at(event, attribute);
}
