import { setTimeout as sleep } from 'node:timers/promises';

const DAY_MS = 24 * 60 * 60 * 1000;

/** For what is counted by the UTC day by processes with the machine's clock: where the day is nearly over, waits for the next one. */
export async function untilDayHasLeft(ms: number): Promise<void> {
  const left = DAY_MS - (Date.now() % DAY_MS);
  if (left < ms) await sleep(left);
}
