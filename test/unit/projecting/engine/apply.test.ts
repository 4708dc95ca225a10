import { beforeEach, describe, expect, test } from 'vitest';

import { RetryableError } from '../../../../src/platform/errors.ts';
import { applyEvents, type Applied } from '../../../../src/projecting/engine/apply.ts';
import type { ReadModelDocument } from '../../../../src/projecting/engine/projection.ts';
import { createRetry } from '../../../../src/projecting/engine/retry.ts';
import type { Documents } from '../../../../src/stores/documents/port.ts';
import { openEngine } from '../../../support/engine.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { noteEvent } from '../../../support/fake-projection.ts';
import { overriding } from '../../../support/overriding.ts';
import { NOTES_AND_MARKS, type Registers } from '../../../simulate/notes-and-marks.ts';

const COLLECTION = 'notes@1';
const markEvent = (subject: string, revision: number, text: string) => ({
  ...noteEvent(subject, revision, text),
  type: 'mark',
});

const engine = forEachTest(() => openEngine(1));
beforeEach(async () => {
  await engine.documents.declare({ name: COLLECTION, indexes: [] });
});

async function apply(
  events: Parameters<typeof applyEvents>[1],
  documents: Documents = engine.documents,
): Promise<readonly Applied['kind'][]> {
  const clock = { now: () => 0, monotonic: () => 0, sleep: async () => undefined };
  const retry = createRetry({ ...engine.parts, clock, signal: new AbortController().signal });
  const applied = await applyEvents(NOTES_AND_MARKS, events, {
    documents,
    retry,
    pause: async () => undefined,
  });
  return applied.map(({ kind }) => kind);
}

async function registersOf(id: string): Promise<Registers | undefined> {
  const stored = await engine.documents.get<ReadModelDocument<Registers>>(COLLECTION, [id]);
  return stored.get(id)?.body.registers;
}

/** A store in which somebody else acts once, between a read and the write that follows it. */
function interrupted(act: () => Promise<unknown>): Documents {
  let isFirst = true;
  return overriding(engine.documents, {
    get: async <Body>(collection: string, ids: readonly string[]) => {
      const found = await engine.documents.get<Body>(collection, ids);
      if (isFirst) {
        isFirst = false;
        await act();
      }
      return found;
    },
  });
}

/** Somebody removes the document and makes it again from other events. */
async function makeAgain(): Promise<void> {
  const read = (await engine.documents.versions(COLLECTION, ['a'])).get('a') ?? '';
  await engine.documents.remove(COLLECTION, [{ id: 'a', read }]);
  await apply([markEvent('a', 1, 'theirs')]);
}

describe('between the read and the write of a document', () => {
  test.each([
    { what: 'created', before: [], act: () => apply([markEvent('a', 1, 'theirs')]) },
    { what: 'changed', before: [noteEvent('a', 1, 'old')], act: () => apply([markEvent('a', 1, 'theirs')]) },
    { what: 'removed and made again', before: [noteEvent('a', 1, 'old')], act: makeAgain },
  ])('somebody else has $what it: both contributions are there', async ({ before, act }) => {
    await apply(before);
    expect(await apply([noteEvent('a', 2, 'ours')], interrupted(act))).toEqual(['applied']);
    expect(await registersOf('a')).toMatchObject({
      note: { value: 'ours' },
      marks: { 'mark 1': { value: 'theirs' } },
    });
  });

  test('somebody else has applied the same event: then it is superseded, and nothing is written', async () => {
    const event = noteEvent('a', 1, 'once');
    expect(
      await apply(
        [event],
        interrupted(() => apply([event])),
      ),
    ).toEqual(['superseded']);
  });

  test('somebody else writes each time, for a long time: it is tried until it succeeds', async () => {
    let times = 12;
    const busy = overriding(engine.documents, {
      get: async <Body>(collection: string, ids: readonly string[]) => {
        const found = await engine.documents.get<Body>(collection, ids);
        if (times-- > 0)
          await apply([markEvent('a', times + 1, 'theirs')].concat(markEvent('a', 99 - times, 'x')));
        return found;
      },
    });
    expect(await apply([noteEvent('a', 1, 'ours')], busy)).toEqual(['applied']);
    expect((await registersOf('a'))?.note?.value).toBe('ours');
  });
});

test('a write whose answer was lost is not taken for a conflict: its event stays applied', async () => {
  let writes = 0;
  const unanswering = overriding(engine.documents, {
    write: async (...args) => {
      const outcomes = await engine.documents.write(...args);
      if (++writes === 1) throw new RetryableError('the connection was reset');
      return outcomes;
    },
  });
  expect(await apply([noteEvent('a', 1, 'x'), noteEvent('b', 1, 'y')], unanswering)).toEqual([
    'applied',
    'applied',
  ]);
  expect(writes).toBe(2);
});
