import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { PermanentError, RetryableError } from '../../../src/platform/errors.ts';
import { startWorker, type WorkerOptions } from '../../../src/platform/worker.ts';
import type { CallingFunctions } from '../../support/calling-thread.ts';
import { temporaryFolder } from '../../support/folder.ts';

const FILE = new URL('../../support/calling-thread.ts', import.meta.url);

function start(options: Partial<WorkerOptions> = {}) {
  return startWorker<CallingFunctions>(FILE, { input: 'given', holdsProcess: false, ...options });
}

test('a call is answered with what the function returns, however the answers overtake each other', async () => {
  await using thread = start();
  const slow = thread.call('later', 'slow', 50);
  expect(await thread.call('input')).toBe('given');
  expect(await thread.call('later', 'fast', 0)).toBe('fast');
  expect(await slow).toBe('slow');
});

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

test('what cannot be copied fails its own call alone, on the way there and on the way back', async () => {
  await using thread = start();
  const uncopied = { toString: () => 'a function inside' };
  await expect(thread.call('later', uncopied as unknown as string, 0)).rejects.toThrow('could not be cloned');
  await expect(thread.call('unspeakable')).rejects.toThrow('could not be cloned');
  expect(await thread.call('later', 'next', 0)).toBe('next');
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
  await expect(told).rejects.toMatchObject({
    message: 'The thread is gone',
    cause: { message: 'the thread broke' },
  });
  expect(order).toEqual(['told', 'refused', 'refused']);
  await expect(thread.call('input')).rejects.toThrow('The thread is gone');
  await thread[Symbol.asyncDispose]();
});

test('disposing answers the calls in hand, refuses later ones, and is no break', async () => {
  const thread = start();
  let hasBroken = false;
  thread.broken.catch(() => {
    hasBroken = true;
  });
  const inHand = thread.call('later', 'in hand', 50);
  const disposed = thread[Symbol.asyncDispose]();
  await expect(thread.call('input')).rejects.toThrow(PermanentError);
  expect(await inHand).toBe('in hand');
  await disposed;
  await thread[Symbol.asyncDispose]();
  expect(hasBroken).toBe(false);
});

test('a process whose thread does not hold it waits for answers, and ends after the last one', () => {
  const script = `
    import { startWorker } from '${new URL('../../../src/platform/worker.ts', import.meta.url).href}';
    const thread = startWorker(new URL('${FILE.href}'), { input: null, holdsProcess: false });
    thread.call('later', 'answered', 50).then((value) => process.stdout.write(value));
  `;
  const file = join(temporaryFolder(), 'main.mjs');
  writeFileSync(file, script);
  const { stdout, status } = spawnSync(process.execPath, [file], { encoding: 'utf8', timeout: 30_000 });
  expect({ stdout, status }).toEqual({ stdout: 'answered', status: 0 });
});
