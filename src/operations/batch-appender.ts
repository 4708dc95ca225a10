import type { Log, NewRecord, PositionRange } from '../events/log/port.ts';

type GrowingRun = { -readonly [Field in keyof PositionRange]: PositionRange[Field] };

const MOMENT_MS = 250;

export interface AppenderOptions {
  /** Records that are appended at once. */
  readonly batch?: number;
  readonly onAppended?: ((appended: number) => void) | undefined;
  /** Is given each batch before it is appended. */
  readonly before?: (records: readonly NewRecord[]) => Promise<void>;
}

/** Appends records in batches, and what has come so far after a moment: a slow source must not wait for a full batch. */
export function createAppender(log: Log, { batch: most = 1000, onAppended, before }: AppenderOptions) {
  const runs: GrowingRun[] = [];
  const newest = new Map<string, GrowingRun>();
  let appended = 0;
  let batch: NewRecord[] = [];
  let last: Promise<void> = Promise.resolve();

  // One append at a time, in the order of the records; a failure fails every later call.
  const flush = (): Promise<void> => {
    last = last.then(async () => {
      if (batch.length === 0) return;
      const records = batch;
      batch = [];
      await before?.(records);
      for (const { topic, partition, position } of await log.append(records)) {
        const key = `${topic}/${partition}`;
        const run = newest.get(key);
        if (run?.to === position) {
          run.to += 1;
          continue;
        }
        const begun = { topic, partition, from: position, to: position + 1 };
        newest.set(key, begun);
        runs.push(begun);
      }
      appended += records.length;
      onAppended?.(appended);
    });
    // The next `add` or `finish` throws what failed.
    last.catch(() => undefined);
    return last;
  };
  const timer = setInterval(() => void flush().catch(() => undefined), MOMENT_MS);

  return {
    add: async (record: NewRecord): Promise<void> => {
      batch.push(record);
      if (batch.length >= most) await flush();
    },
    /** Appends what is left. */
    finish: flush,
    get appended() {
      return appended;
    },
    /** Where they stand: positions without a gap, in the order of the appends. */
    runs: runs as readonly PositionRange[],
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
