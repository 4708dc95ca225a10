import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import {
  createKeptSummaries,
  SUMMARIES,
  type KeptSummaries,
} from '../../../../src/monitor/reading/kept-summaries.ts';
import { createLogger } from '../../../../src/platform/logger.ts';
import type { Documents } from '../../../../src/stores/documents/port.ts';
import { openSqliteDocuments } from '../../../../src/stores/documents/sqlite.ts';
import { MONITOR } from '../../../support/collections.ts';
import { FIRST, hourLink } from '../../../support/monitor.ts';
import { temporaryFolder } from '../../../support/folder.ts';

let documents: Documents;
beforeEach(async () => {
  documents = openSqliteDocuments(join(temporaryFolder(), 'documents.db'));
  await documents.declare(SUMMARIES);
});
afterEach(() => documents[Symbol.asyncDispose]());

const HOUR = FIRST / 60;

function keeping(): KeptSummaries {
  const logger = createLogger('silent', 'test');
  return createKeptSummaries({ documents, collection: MONITOR, storeLimitMs: 10_000, logger });
}

const versionOf = async (kept: KeptSummaries) => (await kept.read('bot_api', [HOUR])).get(HOUR)?.version;

describe('kept summaries', () => {
  test('are read as they were saved, by any instance', async () => {
    keeping().save([hourLink('v1', 'ooo fff oo')]);
    await expect.poll(() => versionOf(keeping())).toBe('v1');
    expect((await keeping().read('bot_api', [HOUR])).get(HOUR)).toEqual(hourLink('v1', 'ooo fff oo'));
  });

  test('of hours that are too old are removed once a new one is kept', async () => {
    const kept = keeping();
    const { version, summary } = hourLink('v');
    const old = HOUR - 2400;
    const hoursOf = async () => [...(await kept.read('bot_api', [old, old + 1, HOUR])).keys()];
    kept.save([old, old + 1].map((hour) => ({ version, summary: { ...summary, hour } })));
    await expect.poll(hoursOf).toEqual([old, old + 1]);
    kept.save([{ version, summary }]);
    await expect.poll(hoursOf).toEqual([old + 1, HOUR]);
  });
});
