import { parseCloudEvent } from '../../events/parse-cloudevent.ts';
import { asFirstAppended } from '../../events/original-time.ts';
import type { LogRecord, UnreadableRange } from '../../events/log/port.ts';
import { toInstant } from '../../platform/time/instant.ts';
import { StoppedError } from '../../projecting/engine/retry.ts';
import { rowOf } from '../column.ts';
import { definitionOf, type Sources, type SqlView } from '../sql-view.ts';

const DEFINITION = definitionOf('events');

/** The log as it is: what is parked, superseded or a duplicate stands in it too. */
export const events: SqlView = {
  ...DEFINITION,
  size: async (sources) => {
    const ends = await Promise.all(sources.topics.map((topic) => sources.log.ends(topic)));
    return ends.flat().reduce((sum, { earliest, latest, readable = latest }) => sum + readable - earliest, 0);
  },
  batches: readRecords,
};

const toRow = rowOf(DEFINITION.columns);

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
      if (signal.aborted) throw new StoppedError('stopped');
    }
  }
}

/** Its event as it came, unchecked, or why there is none. */
function told(record: LogRecord): object {
  const { value } = record;
  const where = { ...record, recorded_at: toInstant(record.timestamp) };
  if (value === null) return { ...where, problem: 'it has no value: a tombstone' };
  const content = parseCloudEvent(record, value);
  return 'problem' in content
    ? { ...where, problem: content.problem.reason }
    : { ...where, event: content.event };
}

/** A range that nobody can read. */
function untold({ topic, partition, from, timestamp, reason }: UnreadableRange): object {
  const recorded_at = toInstant(timestamp);
  return { topic, partition, position: from, recorded_at, headers: {}, problem: reason };
}
