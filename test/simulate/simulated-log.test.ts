import { expect, test } from 'vitest';

import { connectLog, createLog } from './simulated-log.ts';
import { createWorker } from './worker.ts';
import { createWorld, type World } from './world.ts';

/** A run of a world in which one process reads what no log holds. */
async function readBeyondTheEnd(world: World, signal?: AbortSignal): Promise<string> {
  const log = connectLog(createLog({ notes: 1 }), createWorker(world, 'reader'));
  const range = { topic: 'notes', partition: 0, from: 0, to: 1, ...(signal ? { signal } : {}) };
  for await (const { records } of log.read(range)) return `${records.length} records`;
  return 'nothing';
}

test('a read of what the log does not hold yet waits, and time passes meanwhile', async () => {
  const world = createWorld(1);
  void readBeyondTheEnd(world);
  expect(await world.until(() => world.now() > 60_000, 120_000)).toBe(true);
});

test('a read ends when its signal is aborted', async () => {
  const world = createWorld(1);
  const over = new AbortController();
  let ended = '';
  void readBeyondTheEnd(world, over.signal).then((what) => (ended = what));
  await world.until(() => world.now() > 5000, 10_000);
  over.abort();
  await world.until(() => ended !== '', 10_000);
  expect(ended).toBe('nothing');
});

test('a run that goes round in a circle fails, and names the process', async () => {
  const world = createWorld(1, 100);
  const worker = createWorker(world, 'a busy one');
  const again = (): void => void world.later(worker, 'look', 0, again);
  again();
  await expect(world.until(() => false, 1)).rejects.toThrow(/no end after 100 steps.*a busy one.*look/);
});
