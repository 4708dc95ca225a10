import { expect, test } from 'vitest';

import { ensureReadTopics, ensureTopics } from '../../../src/compose/projector.ts';
import { readConfig } from '../../../src/config.ts';
import type { Log } from '../../../src/events/log/port.ts';
import { REJECTED, TOPICS } from '../../../src/events/event-types.ts';
import { PermanentError, RetryableError } from '../../../src/platform/errors.ts';

/** A log that says nothing of the topic for rejected events, but this. */
function keeping(failure: Error) {
  const ensured: string[] = [];
  const log = {
    partitionCount: (topic: string) => (topic === REJECTED ? Promise.reject(failure) : Promise.resolve(6)),
    ensureTopics: async (topics) => {
      if (topics.some(({ name }) => name === REJECTED)) throw failure;
      ensured.push(...topics.map(({ name }) => name));
    },
  } as Partial<Log> as Log;
  return { ensured, parts: { config: readConfig({}), log, topicName: (topic: string) => topic } };
}

test('a projector does not wait for a topic that it has no right to announce on; whoever makes the topics does', async () => {
  const { ensured, parts } = keeping(new PermanentError('no right'));
  await ensureReadTopics(parts);
  expect(ensured).toEqual(TOPICS.map(({ name }) => name).filter((name) => name !== REJECTED));
  await expect(ensureTopics(parts)).rejects.toThrow(PermanentError);
});

test('a log that may answer later is waited for', async () => {
  const { ensured, parts } = keeping(new RetryableError('busy'));
  await expect(ensureReadTopics(parts)).rejects.toThrow(RetryableError);
  expect(ensured).toEqual([]);
});
