import { Worker } from 'node:worker_threads';

import { expect, test } from 'vitest';

import { keepYoungGenerations, SEMI_SPACE_MIB } from '../../../src/platform/young-generation.ts';

test('a thread that is started afterwards has room for short-lived objects from the beginning', async () => {
  keepYoungGenerations();
  expect(await roomInThread()).toBeGreaterThan((SEMI_SPACE_MIB - 1) * 2 ** 20);
});

const TELL_ROOM = `
  const { parentPort } = require('node:worker_threads');
  const { getHeapSpaceStatistics } = require('node:v8');
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  parentPort.postMessage(young.space_used_size + young.space_available_size);
`;

/** In bytes. */
async function roomInThread(): Promise<number> {
  const thread = new Worker(TELL_ROOM, { eval: true });
  const told = Promise.withResolvers<number>();
  thread.once('message', told.resolve);
  thread.once('error', told.reject);
  const room = await told.promise;
  await thread.terminate();
  return room;
}
