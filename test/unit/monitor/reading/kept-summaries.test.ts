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
import { overriding } from '../../../support/overriding.ts';
import { temporaryPath } from '../../../support/temporary-path.ts';

let documents: Documents;
let file: ReturnType<typeof temporaryPath>;
beforeEach(async () => {
  file = temporaryPath('documents.db');
  documents = openSqliteDocuments(file.path);
  await documents.declare(SUMMARIES);
});
afterEach(async () => {
  await documents[Symbol.asyncDispose]();
  file.remove();
});

const HOUR = FIRST / 60;

function keeping(write: Documents['write'] = (...given) => documents.write(...given)): KeptSummaries {
  const logger = createLogger('silent', 'test');
  const parts = { documents: overriding(documents, { write }), collection: MONITOR, logger };
  return createKeptSummaries({ ...parts, storeLimitMs: 10_000 });
}

const versionOf = async (kept: KeptSummaries) => (await kept.read('bot_api', [HOUR])).get(HOUR)?.version;

describe('kept summaries', () => {
  test('are read as they were saved, by any instance', async () => {
    keeping().save([hourLink('v1', 'ooo fff oo')]);
    await expect.poll(() => versionOf(keeping())).toBe('v1');
    expect((await keeping().read('bot_api', [HOUR])).get(HOUR)).toEqual(hourLink('v1', 'ooo fff oo'));
  });

  test('that were made again while an older one was being saved are saved after it', async () => {
    const gate = Promise.withResolvers<void>();
    const kept = keeping(async (...given) => {
      await gate.promise;
      return documents.write(...given);
    });
    kept.save([hourLink('v1')]);
    kept.save([hourLink('v2')]);
    gate.resolve();
    await expect.poll(() => versionOf(kept)).toBe('v1');
    await expect
      .poll(() => {
        kept.save([]);
        return versionOf(kept);
      })
      .toBe('v2');
  });

  test('of hours that are too old are removed, and no others', async () => {
    const kept = keeping();
    const { version, summary } = hourLink('v');
    const older = { version, summary: { ...summary, hour: HOUR - 1 } };
    const hoursOf = async () => [...(await kept.read('bot_api', [HOUR - 1, HOUR])).keys()];
    kept.save([older, { version, summary }]);
    await expect.poll(hoursOf).toHaveLength(2);
    kept.forgetBefore('client', HOUR + 1);
    kept.forgetBefore('bot_api', HOUR);
    await expect.poll(hoursOf).toHaveLength(1);
    expect(await hoursOf()).toEqual([HOUR]);
  });
});
