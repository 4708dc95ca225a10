import { expect, test } from 'vitest';

import type { Assignment, Log, SubscriptionHandlers } from '../../../../src/events/log/port.ts';
import { RetryableError } from '../../../../src/platform/errors.ts';
import { CHECKPOINTS } from '../../../../src/projecting/engine/lane.ts';
import type { Documents } from '../../../../src/stores/documents/port.ts';
import { openEngine } from '../../../support/engine.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { overriding } from '../../../support/overriding.ts';

/** A claim that was begun before its partition was taken away, and comes through later. */

const engine = forEachTest(() => openEngine(1));

/** A log whose one partition a test hands out, to one member at a time. */
function sharing(log: Log) {
  const handed = Promise.withResolvers<{ assign(): void; revoke(): void }>();
  const taken = new AbortController();
  const shared = overriding(log, {
    subscribe: async (_group, _topics, handlers: SubscriptionHandlers) => {
      const assignment: Assignment = {
        topic: 'notes',
        partition: 0,
        signal: taken.signal,
        confirm: async () => !taken.signal.aborted,
        fetch: async (from) => {
          const [end] = await engine.log.ends('notes');
          const to = end?.latest ?? 0;
          for await (const batch of engine.log.read({ topic: 'notes', partition: 0, from, to })) return batch;
          await new Promise((resolve) => setTimeout(resolve, 5));
          return { from, next: from, records: [] };
        },
      };
      handed.resolve({
        assign: () => handlers.assigned(assignment),
        revoke: () => {
          taken.abort();
          handlers.revoked(assignment);
        },
      });
      return { [Symbol.asyncDispose]: async () => undefined };
    },
  });
  return { log: shared, member: handed.promise };
}

test('a claim whose partition is taken away while the store is cut off is never written', async () => {
  let tries = 0;
  let isCut = true;
  const documents: Documents = overriding(engine.documents, {
    write: async (collection, writes) => {
      if (collection === CHECKPOINTS.name) tries += 1;
      if (isCut) throw new RetryableError('cut off');
      return engine.documents.write(collection, writes);
    },
  });
  const [first, second] = [sharing(engine.log), sharing(engine.log)];
  const stale = await engine.start({ log: first.log, documents });
  await engine.start({ log: second.log });
  (await first.member).assign();
  await expect.poll(() => tries).toBeGreaterThan(1);
  (await first.member).revoke();
  (await second.member).assign();
  await engine.publish(['a', 1, 'one']);
  await engine.settled();
  const before = await engine.checkpoint();
  isCut = false;
  const triesBefore = tries;
  // Its work has ended: nothing of it is left that could write.
  await stale[Symbol.asyncDispose]();
  expect(tries).toBe(triesBefore);
  await engine.publish(['a', 2, 'two']);
  await engine.settled();
  expect(await engine.checkpoint()).toMatchObject({
    epoch: before?.epoch,
    owner: before?.owner,
    position: 2,
  });
});

test('a late claim that ends halted says nothing of a worker that no longer has the lane', async () => {
  const first = await engine.start();
  await engine.publish(['a', 1, 'one'], ['b', 1, 'two']);
  await engine.settled();
  await first[Symbol.asyncDispose]();
  await engine.publish(['c', 1, 'lost'], ['d', 1, 'kept']);
  await engine.log.truncate('notes', 0, 3);
  const { log, member } = sharing(engine.log);
  const writing = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const documents: Documents = overriding(engine.documents, {
    write: async (collection, writes) => {
      // On the wire: the claim is written, and its answer comes late.
      const outcomes = await engine.documents.write(collection, writes);
      writing.resolve();
      await gate.promise;
      return outcomes;
    },
  });
  const projector = await engine.start({ log, documents });
  (await member).assign();
  await writing.promise;
  (await member).revoke();
  gate.resolve();
  await projector[Symbol.asyncDispose]();
  expect(projector.lanes()).toEqual([]);
  expect(projector.halts.size).toBe(0);
});
