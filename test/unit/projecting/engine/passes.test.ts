import { beforeEach, expect, test } from 'vitest';

import { gatherNothing, type Gathered } from '../../../../src/projecting/engine/gathering.ts';
import { Unwritable } from '../../../../src/projecting/engine/join-documents.ts';
import type { LaneId } from '../../../../src/projecting/engine/lane.ts';
import { createPasses, type Part, type Passes } from '../../../../src/projecting/engine/passes.ts';
import { createSerialQueue } from '../../../../src/projecting/engine/serial-queue.ts';

/** Lanes that are behind: those that share documents write them together, and answer each for itself. */

let passes: Passes;
let said: string[];
beforeEach(() => {
  passes = createPasses(createSerialQueue());
  said = [];
});

const lane = (topic: string, partition = 0): LaneId => ({ readModel: 'notes@1', topic, partition });

function part(name: string, added: Readonly<Record<string, number>>, own: Partial<Part> = {}): Part {
  return {
    registers: { empty: 0, join: (a, b) => Math.max(Number(a), Number(b)), conflicts: () => 0 },
    writers: 1,
    gather: async (): Promise<Gathered> => {
      said.push(`${name} gathers`);
      return { ...gatherNothing(0), added: new Map(Object.entries(added)) };
    },
    requireOwn: async () => undefined,
    join: async (all) => void said.push(`${name} joins ${JSON.stringify(Object.fromEntries(all))}`),
    finish: async () => void said.push(`${name} finishes`),
    ...own,
  };
}

async function outcomes(...taken: readonly Promise<void>[]): Promise<readonly string[]> {
  const settled = await Promise.allSettled(taken);
  return settled.map((one) => (one.status === 'rejected' ? String(one.reason) : 'done'));
}

test('lanes of one partition number are joined at once, each document once, and finish each by itself', async () => {
  const taken = [
    passes.take(lane('entries'), part('entries', { a: 1, b: 2 })),
    passes.take(lane('metrics'), part('metrics', { b: 3, c: 1 })),
  ];
  expect(await outcomes(...taken)).toEqual(['done', 'done']);
  expect(said).toEqual([
    'entries gathers',
    'metrics gathers',
    'entries joins {"a":1,"b":3,"c":1}',
    'entries finishes',
    'metrics finishes',
  ]);
});

test('lanes of other numbers are gathered meanwhile, one at a time, and no more than one of them', async () => {
  const written = Promise.withResolvers<void>();
  const slow = part('first', { a: 1 }, { join: () => written.promise });
  const taken = [
    passes.take(lane('entries', 0), slow),
    passes.take(lane('entries', 1), part('second', { b: 1 })),
    passes.take(lane('entries', 2), part('third', { c: 1 })),
  ];
  await expect.poll(() => said).toContain('second gathers');
  expect(said).not.toContain('third gathers');
  written.resolve();
  expect(await outcomes(...taken)).toEqual(['done', 'done', 'done']);
});

test.each(['gather', 'requireOwn', 'join', 'finish'] as const)(
  'a lane that fails to %s is told so, and the other one goes on',
  async (what) => {
    const failing = { [what]: () => Promise.reject(new Error('taken away')) };
    const taken = [
      passes.take(lane('entries'), part('entries', { a: 1 }, failing)),
      passes.take(lane('metrics'), part('metrics', { b: 1 })),
    ];
    expect(await outcomes(...taken)).toEqual(['Error: taken away', 'done']);
    expect(said.at(-1)).toBe('metrics finishes');
  },
);

test('nothing is joined of a lane that is no longer this worker’s', async () => {
  const lost = { requireOwn: () => Promise.reject(new Error('replaced')) };
  const taken = [
    passes.take(lane('entries'), part('entries', { a: 1 }, lost)),
    passes.take(lane('metrics'), part('metrics', { b: 1 })),
  ];
  await outcomes(...taken);
  expect(said).toContain('metrics joins {"b":1}');
});

test('where a document cannot be written, every lane of the pass takes its batches one by one', async () => {
  const refused = { join: () => Promise.reject(new Unwritable('a')) };
  const taken = [
    passes.take(lane('entries'), part('entries', { a: 1 }, refused)),
    passes.take(lane('metrics'), part('metrics', { b: 1 })),
  ];
  expect(await outcomes(...taken)).toEqual(['Unwritable: a', 'Unwritable: a']);
  expect(said).not.toContain('metrics finishes');
});

test('a lane may come again as soon as it is through', async () => {
  await passes.take(lane('entries'), part('entries', { a: 1 }));
  await passes.take(lane('entries'), part('entries', { a: 2 }));
  expect(said.filter((one) => one === 'entries finishes')).toHaveLength(2);
});
