import { expect, test, vi } from 'vitest';

import { PermanentError, RetryableError } from '../../../../src/platform/errors.ts';
import * as workers from '../../../../src/platform/threads/start-worker.ts';
import type { CallingFunctions } from '../../../support/calling-thread.ts';

const FILE = new URL('../../../support/calling-thread.ts', import.meta.url);

function start(options: Partial<workers.WorkerOptions> = {}) {
  return workers.startWorker<CallingFunctions>(FILE, { input: 'given', holdsProcess: false, ...options });
}

test.for([
  { kind: 'retryable', type: RetryableError },
  { kind: 'permanent', type: PermanentError },
  { kind: 'fault', type: Error },
] as const)('an error that is $kind keeps its class, its message and its cause', async ({ kind, type }) => {
  await using thread = start();
  const thrown: unknown = await thread.call('fail', kind).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(type);
  expect(thrown instanceof RetryableError).toBe(kind === 'retryable');
  expect(thrown instanceof PermanentError).toBe(kind === 'permanent');
  expect(thrown).toMatchObject({ message: `it is ${kind}`, cause: { message: expect.any(String) } });
});

test('a thread that breaks refuses what waits and what comes, tells of it first, and can be disposed of', async () => {
  const thread = start({ whenBroken: (cause) => new RetryableError('The thread is gone', { cause }) });
  const order: string[] = [];
  const noted = (what: string) => async (thrown: unknown) => {
    order.push(what);
    throw thrown;
  };
  const waiting = [thread.call('later', 'never', 60_000), thread.call('break')];
  const told = thread.broken.catch(noted('told'));
  for (const call of waiting) await expect(call.catch(noted('refused'))).rejects.toThrow(RetryableError);
  const gone = { message: 'The thread is gone', cause: { message: 'the thread broke' } };
  await expect(told).rejects.toMatchObject(gone);
  expect(order).toEqual(['told', 'refused', 'refused']);
  await expect(thread.call('input')).rejects.toThrow('The thread is gone');
  await thread[Symbol.asyncDispose]();
});

test('disposing answers the calls in hand, refuses later ones, and is no break', async () => {
  const thread = start();
  const broken = vi.fn<() => void>();
  thread.broken.catch(broken);
  const inHand = thread.call('later', 'in hand', 50);
  const disposed = thread[Symbol.asyncDispose]();
  await expect(thread.call('input')).rejects.toThrow(PermanentError);
  expect(await inHand).toBe('in hand');
  await disposed;
  await thread[Symbol.asyncDispose]();
  expect(broken).not.toHaveBeenCalled();
});

test('one that its first call starts is started again by the first call after a break', async () => {
  await using thread = workers.startWorkerWhenCalled<CallingFunctions>(FILE, { input: 'given' });
  await expect(thread.call('break')).rejects.toThrow('the thread broke');
  expect(await thread.call('input')).toBe('given');
});
