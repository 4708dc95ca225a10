import { beforeEach, describe, expect, test } from 'vitest';

import { appendDueRounds, keepSample } from '../../../../src/operations/sample/keep-current.ts';
import { changeSample, readSample } from '../../../../src/operations/sample/publish.ts';
import type { Parts } from '../../../../src/compose/parts.ts';
import type { NewRecord } from '../../../../src/events/log/port.ts';
import { RetryableError } from '../../../../src/platform/errors.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { overriding } from '../../../support/overriding.ts';
import { createTestClock, type TestClock } from '../../../support/test-clock.ts';
import { openCatalog, probesIn } from './stage.ts';

const MINUTE = 60_000;
/** The round that the clock stands in when a test begins; the sample ends with the one before it. */
const NOW = 29_700_000;
const DAY = 1440;
const never = new AbortController().signal;

let folder: string;
let clock: TestClock;
let parts: Parts;

const open = (): Promise<Parts> => openCatalog(folder, {}, { clock });

beforeEach(async () => {
  folder = temporaryFolder();
  clock = createTestClock();
  clock.advance(NOW * MINUTE + 10_000);
  parts = await open();
  const end = new Date(clock.now()).toISOString();
  await changeSample(parts.documents, () => ({ end, appended: true, through: NOW - 1, from: 0 }));
});

/** The rounds of the probes that are in the log, ascending, each as often as it has nine probes. */
async function roundsInLog(): Promise<readonly number[]> {
  const { rounds } = await probesIn(parts);
  return [...Map.groupBy(rounds, (round) => round)].flatMap(([round, probes]) =>
    Array.from({ length: probes.length / 9 }, () => round),
  );
}

/** The parts, with a log whose appends are preceded by this. */
function beforeAppending(interrupt: () => Promise<void>): Parts {
  const append = async (records: readonly NewRecord[]) => {
    await interrupt();
    return parts.log.append(records);
  };
  return overriding(parts, { log: overriding(parts.log, { append }) });
}

describe('the rounds that are due', () => {
  test('are those that have ended since the sample ended, each once', async () => {
    await appendDueRounds(parts, never);
    expect(await roundsInLog()).toEqual([]);
    clock.advance(3 * MINUTE);
    await appendDueRounds(parts, never);
    await appendDueRounds(parts, never);
    expect(await roundsInLog()).toEqual([NOW, NOW + 1, NOW + 2]);
    expect(await readSample(parts.documents)).toMatchObject({ through: NOW + 2 });
  });

  test('are those of two days at most, after a longer pause', async () => {
    clock.advance(5 * DAY * MINUTE);
    await appendDueRounds(parts, never);
    const rounds = await roundsInLog();
    expect(rounds).toHaveLength(2 * DAY);
    expect(rounds[0]).toBe(NOW + 3 * DAY);
    expect(rounds.at(-1)).toBe(NOW + 5 * DAY - 1);
  });

  test('are none while the sample has not been appended whole', async () => {
    await changeSample(parts.documents, (state) => state && { ...state, appended: false });
    clock.advance(3 * MINUTE);
    await appendDueRounds(parts, never);
    expect(await roundsInLog()).toEqual([]);
  });
});

test('a round whose process died in the middle is appended by the next one: no gap', async () => {
  const dying = beforeAppending(() => Promise.reject(new Error('killed')));
  clock.advance(MINUTE);
  await expect(appendDueRounds(dying, never)).rejects.toThrow('killed');
  clock.advance(MINUTE);
  await appendDueRounds(await open(), never);
  expect(await roundsInLog()).toEqual([NOW, NOW + 1]);
});

describe('a sample that is kept alive', () => {
  test('gets each round two seconds after its end', async () => {
    await using _alive = keepSample(parts, never);
    await clock.sleeping(52_000);
    clock.advance(51_999);
    expect(await roundsInLog()).toEqual([]);
    clock.advance(1);
    await clock.sleeping(MINUTE);
    expect(await roundsInLog()).toEqual([NOW]);
    clock.advance(MINUTE);
    await clock.sleeping(MINUTE);
    expect(await roundsInLog()).toEqual([NOW, NOW + 1]);
  });

  test('gets its rounds also while a day of before is not projected', async () => {
    await changeSample(parts.documents, (state) => state && { ...state, from: NOW });
    await using _alive = keepSample(parts, never);
    await clock.sleeping(52_000);
    clock.advance(52_000);
    await clock.sleeping(MINUTE);
    expect(await roundsInLog()).toContain(NOW);
  });

  test('gets at once what was missed', async () => {
    clock.advance(2 * MINUTE);
    await using _alive = keepSample(parts, never);
    await clock.sleeping(52_000);
    expect(await roundsInLog()).toEqual([NOW, NOW + 1]);
  });

  test('goes on after a failure of the log', async () => {
    let isDown = true;
    const shaky = beforeAppending(async () => {
      if (isDown) throw new RetryableError('The log is away');
    });
    clock.advance(MINUTE);
    await using _alive = keepSample(shaky, never);
    await clock.sleeping(52_000);
    expect(await roundsInLog()).toEqual([]);
    isDown = false;
    clock.advance(52_000);
    await clock.sleeping(MINUTE);
    expect(await roundsInLog()).toEqual([NOW, NOW + 1]);
  });

  test('rests as soon as the signal is aborted', async () => {
    const stopping = new AbortController();
    const alive = keepSample(parts, stopping.signal);
    await clock.sleeping(52_000);
    stopping.abort();
    await alive[Symbol.asyncDispose]();
    clock.advance(10 * MINUTE);
    expect(await roundsInLog()).toEqual([]);
  });
});
