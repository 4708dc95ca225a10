import type { Parts } from '../../../compose/parts.ts';
import type { CloudEvent } from '../../../events/envelope.ts';
import type { NewRecord } from '../../../events/log/port.ts';
import { structuredRecord } from '../../../events/publishable.ts';

export interface AppendOptions {
  /** Events appended at once. */
  readonly batch: number;
  readonly signal: AbortSignal;
  /** Called with the number of events appended so far. */
  readonly onAppended?: (appended: number) => void;
}

/** Appends events to the topics of their types. False where the signal was aborted before the last of them. */
export async function appendEvents(
  { log, topicName }: Pick<Parts, 'log' | 'topicName'>,
  events: Iterable<CloudEvent>,
  { batch, signal, onAppended }: AppendOptions,
): Promise<boolean> {
  let records: NewRecord[] = [];
  let appended = 0;
  const flush = async (): Promise<void> => {
    await log.append(records);
    appended += records.length;
    records = [];
    onAppended?.(appended);
  };
  for (const event of events) {
    const record = structuredRecord(event);
    records.push({ ...record, topic: topicName(record.topic) });
    if (records.length < batch) continue;
    await flush();
    if (signal.aborted) return false;
  }
  await flush();
  return true;
}
