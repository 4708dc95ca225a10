import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';

import { appendDay, keepSample } from '../../../../src/operations/sample/keep-current.ts';
import { changeSample, publishSample, readSample } from '../../../../src/operations/sample/publish.ts';
import type { Parts } from '../../../../src/compose/parts.ts';
import { startProjector } from '../../../../src/compose/projector.ts';
import type { NewRecord } from '../../../../src/events/log/port.ts';
import { RetryableError } from '../../../../src/platform/errors.ts';
import { CHECKPOINTS } from '../../../../src/projecting/engine/lane.ts';
import { FIRST_ROUNDS } from '../../../../src/sample/sample.ts';
import { MONITOR } from '../../../support/collections.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { overriding } from '../../../support/overriding.ts';
import { openCatalog, probesIn } from './stage.ts';

const DAY = 1440;
const END = '2026-11-20T10:00:00.000Z';
const LAST = Date.parse(END) / 60_000 - 1;
const never = new AbortController().signal;

let folder: string;
let parts: Parts;
beforeEach(async () => {
  folder = temporaryFolder();
  parts = await openCatalog(folder, { CATALOG_SAMPLE: 'once' });
});

/** The sample as a first start leaves it, and a projector. */
async function begun(appended = true): Promise<void> {
  const state = { end: END, appended, through: LAST, from: LAST - FIRST_ROUNDS + 1 };
  await changeSample(parts.documents, () => state);
  const projector = await startProjector(parts, { acceptGaps: [] });
  onTestFinished(() => projector[Symbol.asyncDispose]());
}

/** The first and the last round in the log, how many there are, and whether any probe is there twice. */
async function inLog(): Promise<{ readonly first: number; readonly last: number; readonly twice: boolean }> {
  const { ids, rounds } = await probesIn(parts);
  return { first: rounds[0] ?? 0, last: rounds.at(-1) ?? 0, twice: new Set(ids).size < ids.length };
}

describe('the older days of the sample', () => {
  test('come one by one, the newest first, each when the one before has been projected', async () => {
    await begun();
    expect(await appendDay(parts, never)).toBe(true);
    const newest = await inLog();
    expect(newest.last).toBeGreaterThan(LAST - FIRST_ROUNDS - 3);
    expect(newest.last).toBeLessThanOrEqual(LAST - FIRST_ROUNDS);
    expect(newest.first).toBeGreaterThan(LAST - FIRST_ROUNDS - DAY);
    expect((await parts.documents.count(MONITOR, { where: {}, by: [] }))[0]?.count).toBeGreaterThanOrEqual(
      3 * 24,
    );
    expect(await appendDay(parts, never)).toBe(true);
    const both = await inLog();
    expect(both.first).toBeLessThan(LAST - FIRST_ROUNDS - DAY);
    expect(both).toMatchObject({ last: newest.last, twice: false });
  });

  test('begin where the sample does, also where it was begun with more rounds', async () => {
    await changeSample(parts.documents, () => ({
      end: END,
      appended: false,
      through: LAST,
      from: LAST - DAY,
    }));
    await publishSample(parts, never);
    const from = LAST - FIRST_ROUNDS + 1;
    expect(await readSample(parts.documents)).toMatchObject({ appended: true, from });
  });

  test('wait for the sample itself', async () => {
    await begun(false);
    expect(await appendDay(parts, never)).toBe(false);
    expect(await inLog()).toMatchObject({ first: 0, last: 0 });
  });

  test('end 90 days before the end of the sample, and go on where the last start has left off', async () => {
    await begun();
    const { documents } = parts;
    await appendDay(parts, never);
    // As if all but the last day had come.
    const goal = LAST - 90 * DAY + 1;
    await changeSample(documents, (state) => state && { ...state, from: goal + 100 });
    const again = await openCatalog(folder, { CATALOG_SAMPLE: 'once' });
    await using _filled = keepSample(again, never);
    await expect.poll(async () => (await readSample(documents))?.from).toBe(goal);
    expect((await inLog()).first).toBeGreaterThanOrEqual(goal);
    expect(await appendDay(parts, never)).toBe(false);
  });

  test('are appended again where a process died before it had said so: duplicates, and no gap', async () => {
    await begun();
    const append = async (records: readonly NewRecord[]) => {
      await parts.log.append(records);
      throw new RetryableError('The log is away');
    };
    const dying = overriding(parts, { log: overriding(parts.log, { append }) });
    await expect(appendDay(dying, never)).rejects.toThrow('The log is away');
    expect(await appendDay(parts, never)).toBe(true);
    expect(await inLog()).toMatchObject({ twice: true });
    expect((await readSample(parts.documents))?.from).toBe(LAST - FIRST_ROUNDS - DAY + 1);
  });
});

test('a log that was lost is not filled with the sample: documents say that it was read', async () => {
  await parts.documents.declare(CHECKPOINTS);
  const body = { position: 3 };
  await parts.documents.write(CHECKPOINTS.name, [
    { id: 'listings@2/catalog.entries/0', read: null, version: 'a', body },
  ]);
  expect(await publishSample(parts, never)).toBe(false);
  expect((await probesIn(parts)).ids).toEqual([]);
});
