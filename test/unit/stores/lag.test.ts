import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { Documents } from '../../../src/stores/documents/port.ts';
import { openSqliteDocuments } from '../../../src/stores/documents/sqlite.ts';
import { lagAt, LAGS, readLag, noteLags } from '../../../src/stores/lag.ts';
import { overriding } from '../../support/overriding.ts';
import { temporaryPath } from '../../support/temporary-path.ts';

let documents: Documents;
let file: ReturnType<typeof temporaryPath>;
beforeEach(async () => {
  file = temporaryPath('documents.db');
  documents = openSqliteDocuments(file.path);
  await documents.declare(LAGS);
});
afterEach(async () => {
  await documents[Symbol.asyncDispose]();
  file.remove();
});

async function say(at: number, lag: number): Promise<'said' | 'said_by_another'> {
  const word = { at, notWithinMs: 2500, measure: async () => lag };
  return (await noteLags(documents, ['notes@1'], word)).length > 0 ? 'said' : 'said_by_another';
}

describe('how far a read model is behind the log', () => {
  test('is unknown until somebody has said it', async () => {
    expect(await readLag(documents, 'notes@1')).toBeNull();
    await say(1000, 70);
    expect(await readLag(documents, 'notes@1')).toEqual({ at: 1000, lag_ms: 70 });
    expect(await readLag(documents, 'notes@2')).toBeNull();
  });

  test('grows with the time since it was said', () => {
    expect(lagAt({ at: 1000, lag_ms: 70 }, 1000)).toBe(70);
    expect(lagAt({ at: 1000, lag_ms: 70 }, 61_000)).toBe(60_070);
  });

  test('is old where it was said in the future: the clock was put back since, and nobody has spoken', () => {
    expect(lagAt({ at: 7_200_000, lag_ms: 70 }, 0)).toBe(7_200_070);
  });

  test('is said by one of several: again only once the last word is old enough', async () => {
    expect(await say(1000, 70)).toBe('said');
    expect(await say(3499, 0)).toBe('said_by_another');
    expect(await say(3500, 0)).toBe('said');
    expect(await readLag(documents, 'notes@1')).toEqual({ at: 3500, lag_ms: 0 });
  });

  test('is said of several in one write: of those of which the last word is old enough', async () => {
    await say(1000, 70);
    const writes: number[] = [];
    const counting = overriding(documents, {
      write: async (...given) => (writes.push(given[1].length), await documents.write(...given)),
    });
    const word = { at: 2000, notWithinMs: 2500, measure: async (build: string) => build.length };
    expect(await noteLags(counting, ['a', 'notes@1', 'bcd'], word)).toEqual(['a', 'bcd']);
    expect(writes).toEqual([2]);
    expect(await readLag(documents, 'bcd')).toEqual({ at: 2000, lag_ms: 3 });
    expect(await noteLags(counting, ['a', 'notes@1', 'bcd'], word)).toEqual([]);
    expect(writes).toEqual([2]);
  });

  test('is said again after the store’s clock was put back', async () => {
    await say(900_000, 0);
    expect(await say(1000, 5)).toBe('said');
  });

  test('is left to the other one where two say it at once', async () => {
    const both = await Promise.all([say(1000, 1), say(1000, 2)]);
    expect(both.toSorted()).toEqual(['said', 'said_by_another']);
  });
});
