import { expect, test } from 'vitest';

import type { Log } from '../../../../src/events/log/port.ts';
import { PermanentError, RetryableError } from '../../../../src/platform/errors.ts';
import { createProjector } from '../../../../src/projecting/engine/projector.ts';
import { StoppedError } from '../../../../src/projecting/engine/retry.ts';
import { openEngine } from '../../../support/engine.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { NOTES } from '../../../support/fake-projection.ts';
import { overriding } from '../../../support/overriding.ts';

const engine = forEachTest(() => openEngine(1));

/** A log that knows which groups have members, and asks before it lets one join. */
function watched(log: Log, admit: (group: string) => Promise<void>) {
  const joined = new Set<string>();
  const subscribe: Log['subscribe'] = async (group, topics, handlers) => {
    await admit(group);
    const subscription = await log.subscribe(group, topics, handlers);
    joined.add(group);
    return {
      [Symbol.asyncDispose]: async () => {
        await subscription[Symbol.asyncDispose]();
        joined.delete(group);
      },
    };
  };
  return { joined, log: overriding(log, { subscribe }) };
}

test('a projector that is disposed while it joins leaves as soon as it has joined', async () => {
  const joining = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const { joined, log } = watched(engine.log, () => {
    joining.resolve();
    return gate.promise;
  });
  const projector = createProjector({ ...engine.parts, log });
  const started = projector.start();
  await joining.promise;
  await projector[Symbol.asyncDispose]();
  gate.resolve();
  await started;
  expect(joined).toEqual(new Set());
});

test('a projector that is disposed while its store is away stops waiting for it', async () => {
  const tried = Promise.withResolvers<void>();
  const declare = (): Promise<never> => {
    tried.resolve();
    return Promise.reject(new RetryableError('away'));
  };
  const projector = createProjector({
    ...engine.parts,
    documents: overriding(engine.documents, { declare }),
  });
  const started = projector.start();
  await tried.promise;
  await projector[Symbol.asyncDispose]();
  await expect(started).rejects.toThrow(StoppedError);
});

test('a projector that cannot join every group has left all of them when its start fails', async () => {
  const { joined, log } = watched(engine.log, async (group) => {
    if (group === 'others@1') throw new PermanentError('not authorised');
  });
  const projections = [NOTES, { ...NOTES, name: 'others' }];
  const projector = createProjector({ ...engine.parts, log, projections });
  await expect(projector.start()).rejects.toThrow('not authorised');
  expect(joined).toEqual(new Set());
});
