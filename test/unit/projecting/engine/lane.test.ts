import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import type { PartitionEnds } from '../../../../src/events/log/port.ts';
import {
  advanceLane,
  claimLane,
  consumed,
  type HeldLane,
} from '../../../../src/projecting/engine/checkpoint.ts';
import { CHECKPOINTS, haltOf, NO_COUNTS, type Checkpoint } from '../../../../src/projecting/engine/lane.ts';
import type { Fit } from '../../../../src/projecting/engine/log-fit.ts';
import type { Documents } from '../../../../src/stores/documents/port.ts';
import { openSqliteDocuments } from '../../../../src/stores/documents/sqlite.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { overriding } from '../../../support/overriding.ts';

const lane = { readModel: 'notes@1', topic: 'notes', partition: 0 };
const options = (owner: string, earliest: number, latest: number, acceptGap = false) => ({
  owner,
  fit: async (checkpoint: Checkpoint | null) => fitting(checkpoint, { partition: 0, earliest, latest }),
  acceptGap,
  signal: new AbortController().signal,
});

function fitting(checkpoint: Checkpoint | null, ends: PartitionEnds): Fit {
  return { ends, halt: checkpoint && haltOf(checkpoint, ends), compared: null };
}

const counts = { ...NO_COUNTS, applied: 3, ignored: 1 };

const folder = temporaryFolder();
let documents: Documents;
beforeEach(async () => {
  documents = openSqliteDocuments(join(folder, `${randomUUID()}.db`));
  await documents.declare(CHECKPOINTS);
});
afterEach(() => documents[Symbol.asyncDispose]());

async function claim(
  owner: string,
  { earliest = 0, latest = 100, acceptGap = false } = {},
): Promise<HeldLane> {
  const claimed = await claimLane(documents, lane, options(owner, earliest, latest, acceptGap));
  if (claimed.outcome !== 'claimed') throw new Error(`halted: ${claimed.halt.reason}`);
  return claimed.held;
}

describe('a lane', () => {
  test('starts at the earliest record where it has no checkpoint, and at its checkpoint after that', async () => {
    const first = await claim('a', { earliest: 7 });
    expect(first.checkpoint.position).toBe(7);
    await advanceLane(documents, first, consumed(first, 11, counts));
    const second = await claim('b', { earliest: 7 });
    expect(second.checkpoint).toMatchObject({ position: 11, epoch: 2, owner: 'b', counts });
  });

  test('tells a worker that was replaced, and leaves the checkpoint of its successor alone', async () => {
    const stale = await claim('a');
    const successor = await claim('b');
    expect(await advanceLane(documents, stale, consumed(stale, 50, counts))).toBeNull();
    expect(await advanceLane(documents, successor, consumed(successor, 4, counts))).not.toBeNull();
  });

  test('recognises its own checkpoint when the answer to it was lost', async () => {
    const held = await claim('a');
    const next = consumed(held, 4, counts);
    await advanceLane(documents, held, next);
    expect(await advanceLane(documents, held, next)).toBe(next);
  });

  test('goes on from the earliest record, counting again, once the gap is accepted', async () => {
    const held = await claim('a');
    await advanceLane(documents, held, consumed(held, 10, counts));
    const accepted = await claim('a', { earliest: 12, latest: 20, acceptGap: true });
    expect(accepted.checkpoint).toMatchObject({ position: 12, counts: NO_COUNTS, halted: null, epoch: 2 });
  });

  test('keeps its place when a gap is accepted where there is none', async () => {
    const held = await claim('a');
    await advanceLane(documents, held, consumed(held, 10, counts));
    expect((await claim('a', { acceptGap: true })).checkpoint.position).toBe(10);
  });

  test('is claimed by each of several workers that race for it, one epoch after the other', async () => {
    const claims = await Promise.all(['a', 'b', 'c', 'd'].map((owner) => claim(owner)));
    expect(new Set(claims.map(({ checkpoint }) => checkpoint.epoch))).toEqual(new Set([1, 2, 3, 4]));
  });

  test('is not taken for one whose log is younger where another worker reads further during the claim', async () => {
    const other = await claim('other');
    let latest = 5;
    const readingFurther = overriding(documents, {
      get: async <Body>(collection: string, ids: readonly string[]) => {
        latest = 20;
        await advanceLane(documents, other, consumed(other, 15, counts));
        return documents.get<Body>(collection, ids);
      },
    });
    const claimed = await claimLane(readingFurther, lane, {
      ...options('a', 0, 0),
      fit: async (checkpoint) => fitting(checkpoint, { partition: 0, earliest: 0, latest }),
    });
    expect(claimed).toMatchObject({ outcome: 'claimed', held: { checkpoint: { position: 15 } } });
  });
});
