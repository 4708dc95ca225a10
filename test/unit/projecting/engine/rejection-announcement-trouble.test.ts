import { expect, test } from 'vitest';

import type { Log, NewRecord } from '../../../../src/events/log/port.ts';
import { PermanentError, RetryableError } from '../../../../src/platform/errors.ts';
import {
  announcementLog,
  announcementTrouble,
} from '../../../../src/projecting/engine/rejection-announcement-trouble.ts';
import { captureLog } from '../../../support/captured-log.ts';
import { openFeedBench } from '../../../support/feed-bench.ts';
import { forEachTest } from '../../../support/for-each-test.ts';

const bench = forEachTest(openFeedBench);

const REJECTION: NewRecord = { topic: 'rejected', key: 'a', value: null, headers: {} };
const OTHER: NewRecord = { ...REJECTION, topic: 'entries' };

/** A log that does with appended records what the test says. */
function setUp({ isOn = true } = {}) {
  const appended: NewRecord[] = [];
  const state: { failure: Error | null } = { failure: null };
  const { logger, said } = captureLog();
  const log = {
    append: async (records: readonly NewRecord[]) => {
      if (state.failure) throw state.failure;
      appended.push(...records);
      return records.map(({ topic }, position) => ({ topic, partition: 0, position }));
    },
  } as Partial<Log> as Log;
  const announcing = announcementLog({ log, documents: bench.documents, logger, topic: 'rejected', isOn });
  const trouble = () => announcementTrouble(bench.documents, 'rejected');
  return { announcing, appended, state, said, trouble };
}

test('a deployment without the right to announce says so once, and goes on', async () => {
  const { announcing, state, said, trouble, appended } = setUp();
  state.failure = new PermanentError('no right to write.');
  expect(await announcing.append([REJECTION])).toEqual([]);
  expect(await announcing.append([REJECTION])).toEqual([]);
  expect(said()).toEqual(['warn: rejected events cannot be announced']);
  expect(await trouble()).toBe('no right to write.');
  state.failure = null;
  await announcing.append([REJECTION]);
  expect(said().at(-1)).toBe('info: rejected events are announced again');
  expect(await trouble()).toBeNull();
  expect(appended).toHaveLength(1);
});

test('a deployment that is to announce nothing announces nothing, and says nothing', async () => {
  const { announcing, said, appended, trouble } = setUp({ isOn: false });
  expect(await announcing.append([REJECTION])).toEqual([]);
  expect(appended).toEqual([]);
  expect(said()).toEqual([]);
  expect(await trouble()).toBeNull();
});

test('a log that may answer later is waited for by the caller, and nothing else that is refused is passed over', async () => {
  const { announcing, state } = setUp();
  state.failure = new RetryableError('busy');
  await expect(announcing.append([REJECTION])).rejects.toThrow(RetryableError);
  state.failure = new PermanentError('no right');
  await expect(announcing.append([OTHER])).rejects.toThrow(PermanentError);
});
