import { join } from 'node:path';

import type { Parts } from '../../src/compose/parts.ts';
import { ensureTopics } from '../../src/compose/projector.ts';
import type { CloudEvent } from '../../src/events/envelope.ts';
import type { Log, NewRecord, Place } from '../../src/events/log/port.ts';
import { openSqliteLog } from '../../src/events/log/sqlite.ts';
import { structuredRecord } from '../../src/events/event-types.ts';
import { systemClock, type Clock } from '../../src/platform/time/clock.ts';
import { PUBLIC_URL } from './api.ts';
import { cutLog } from './cut-log.ts';
import { temporaryFolder } from './folder.ts';
import { runHere } from './run-here.ts';
import { openParts } from './parts.ts';

/** An installation whose log tells the time that a test says. */
export interface PastStage extends AsyncDisposable {
  readonly folder: string;
  readonly parts: Parts;
  readonly log: Log;
  /** Puts the records of a partition below a position out of reach. */
  cut(topic: string, partition: number, before: number): void;
  /** Appends them at a time, Unix milliseconds, or RFC 3339; it becomes the stage's own now. */
  append(at: number | string, ...events: readonly (CloudEvent | NewRecord)[]): Promise<readonly Place[]>;
  /** Runs `history` in this process: its now is the real one. */
  history(...args: readonly string[]): ReturnType<typeof runHere>;
}

export async function openPastStage(): Promise<PastStage> {
  const folder = temporaryFolder();
  const env = { CATALOG_DATA: folder, CATALOG_PUBLIC_URL: PUBLIC_URL };
  let now = 0;
  const clock: Clock = { ...systemClock, now: () => now };
  const parts = await openParts(env, { clock });
  await ensureTopics(parts);
  await parts.identity();
  const log = openSqliteLog(join(folder, 'log.db'), { clock });
  return {
    folder,
    parts,
    log,
    cut: (topic, partition, before) => cutLog(join(folder, 'log.db'), topic, partition, before),
    append: async (at, ...told) => {
      now = typeof at === 'number' ? at : Date.parse(at);
      return await log.append(told.map((one) => ('value' in one ? one : structuredRecord(one))));
    },
    history: (...args) => runHere(['history', ...args], env),
    [Symbol.asyncDispose]: async () => {
      await log[Symbol.asyncDispose]();
      await parts[Symbol.asyncDispose]();
    },
  };
}
