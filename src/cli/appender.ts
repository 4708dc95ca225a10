import type { Log, NewRecord, Place } from '../events/log/port.ts';

/** Appends records in batches, and what has come so far after a moment: a slow source must not wait for a full batch. */
export interface Appender extends AsyncDisposable {
  add(record: NewRecord): Promise<void>;
  /** Appends what is left. */
  finish(): Promise<void>;
  readonly appended: number;
  /** The furthest place appended to in each partition. */
  readonly reached: readonly Place[];
}

const BATCH = 1000;
const MOMENT_MS = 250;

export function createAppender(log: Log, onAppended: (appended: number) => void): Appender {
  const reached = new Map<string, Place>();
  let appended = 0;
  let batch: NewRecord[] = [];
  let last: Promise<void> = Promise.resolve();

  // One append at a time, in the order of the records; a failure fails every later call.
  const flush = (): Promise<void> => {
    last = last.then(async () => {
      if (batch.length === 0) return;
      const records = batch;
      batch = [];
      for (const place of await log.append(records)) {
        reached.set(`${place.topic}/${place.partition}`, place);
      }
      appended += records.length;
      onAppended(appended);
    });
    // Whoever adds next, or finishes, hears of a failure.
    last.catch(() => undefined);
    return last;
  };
  const timer = setInterval(() => void flush().catch(() => undefined), MOMENT_MS);

  return {
    add: async (record) => {
      batch.push(record);
      if (batch.length >= BATCH) await flush();
    },
    finish: flush,
    get appended() {
      return appended;
    },
    get reached() {
      return [...reached.values()];
    },
    [Symbol.asyncDispose]: async () => clearInterval(timer),
  };
}
