import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Parts } from '../../src/compose/parts.ts';
import { publishable } from '../../src/events/publishable.ts';
import type { NewRecord } from '../../src/events/log/port.ts';

/** The events of a file, the first so many at once and the others at a steady pace, until they end or nobody asks. */
export interface Publisher {
  /** Resolves with their number. */
  atOnce(count: number): Promise<number>;
  steadily(perSecond: number, isOver: () => boolean): Promise<number>;
}

const BATCH = 1000;
const BEAT_MS = 250;

export function openPublisher(parts: Parts, file: string): Publisher {
  const lines = createInterface({ input: createReadStream(file) })[Symbol.asyncIterator]();

  async function next(count: number): Promise<readonly NewRecord[]> {
    const records: NewRecord[] = [];
    while (records.length < count) {
      const { done, value } = await lines.next();
      if (done) break;
      const checked = publishable(value);
      if (checked.outcome === 'valid') records.push(checked.record);
    }
    return records;
  }

  async function append(count: number): Promise<number> {
    const records = await next(count);
    if (records.length > 0) await parts.log.append(records);
    return records.length;
  }

  return {
    async atOnce(count) {
      let appended = 0;
      while (appended < count) {
        const some = await append(Math.min(BATCH, count - appended));
        if (some === 0) break;
        appended += some;
      }
      return appended;
    },
    async steadily(perSecond, isOver) {
      let appended = 0;
      while (!isOver()) {
        const some = await append(Math.ceil((perSecond * BEAT_MS) / 1000));
        if (some === 0) break;
        appended += some;
        await sleep(BEAT_MS);
      }
      return appended;
    },
  };
}
