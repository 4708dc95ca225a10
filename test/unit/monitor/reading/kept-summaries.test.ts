import { beforeEach, describe, expect, test } from 'vitest';

import {
  createKeptSummaries,
  SUMMARIES,
  type KeptSummaries,
} from '../../../../src/monitor/reading/stored-hour-summaries.ts';
import { RetryableError } from '../../../../src/platform/errors.ts';
import { createLogger } from '../../../../src/platform/logger.ts';
import type { Documents } from '../../../../src/stores/documents/port.ts';
import { MONITOR } from '../../../support/collections.ts';
import { FIRST, hourLink } from '../../../support/monitor.ts';
import { overriding } from '../../../support/overriding.ts';
import { openDocuments } from '../../../support/documents.ts';

let documents: Documents;
beforeEach(async () => {
  documents = openDocuments();
  await documents.declare(SUMMARIES);
});

const HOUR = FIRST / 60;

function keeping(write: Documents['write'] = (...given) => documents.write(...given)): KeptSummaries {
  const logger = createLogger('silent', 'test');
  const parts = { documents: overriding(documents, { write }), collection: MONITOR, logger };
  return createKeptSummaries({ ...parts, storeLimitMs: 10_000 });
}

const versionOf = async (kept: KeptSummaries) => (await kept.read('bot_api', [HOUR])).get(HOUR)?.version;

/** What could not be saved yet goes with whatever is saved next. */
async function savedInTheEnd(kept: KeptSummaries, version: string): Promise<void> {
  const next = () => (kept.save([]), versionOf(kept));
  await expect.poll(next).toBe(version);
}

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
    await savedInTheEnd(kept, 'v2');
  });

  test('that could not be saved are saved with the next ones', async () => {
    let attempts = 0;
    const kept = keeping(async (...given) => {
      attempts += 1;
      if (attempts === 1) throw new RetryableError('down');
      return documents.write(...given);
    });
    kept.save([hourLink('v')]);
    await expect.poll(() => attempts).toBe(1);
    await savedInTheEnd(kept, 'v');
  });

  test('of hours that are too old are removed once a new one is kept, those of ten days at most', async () => {
    const kept = keeping();
    const { version, summary } = hourLink('v');
    const old = HOUR - 2400;
    const hoursOf = async () => [
      ...(await kept.read('bot_api', [old - 240, old - 239, old, old + 1, HOUR])).keys(),
    ];
    kept.save(
      [old - 240, old - 239, old, old + 1].map((hour) => ({ version, summary: { ...summary, hour } })),
    );
    await expect.poll(hoursOf).toEqual([old - 240, old - 239, old, old + 1]);
    kept.save([{ version, summary }]);
    await expect.poll(hoursOf).toEqual([old - 240, old + 1, HOUR]);
  });
});
