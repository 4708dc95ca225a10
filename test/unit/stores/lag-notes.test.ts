import { beforeEach, describe, expect, test } from 'vitest';

import type { Documents } from '../../../src/stores/documents/port.ts';
import { lagAt, LAGS, readLag, noteLag } from '../../../src/stores/lag-notes.ts';
import { openDocuments } from '../../support/documents.ts';

let documents: Documents;
beforeEach(async () => {
  documents = openDocuments();
  await documents.declare(LAGS);
});

async function say(at: number, lag: number): Promise<'said' | 'said_by_another'> {
  await noteLag(documents, 'notes@1', { at, notWithinMs: 2500, measure: async () => lag });
  return (await readLag(documents, 'notes@1'))?.at === at ? 'said' : 'said_by_another';
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

  test('is said again after the store’s clock was put back', async () => {
    await say(900_000, 0);
    expect(await say(1000, 5)).toBe('said');
  });
});
