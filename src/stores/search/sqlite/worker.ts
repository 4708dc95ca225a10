import { parentPort, workerData } from 'node:worker_threads';

import { runInBackground } from '../../../platform/background.ts';
import { systemClock } from '../../../platform/clock.ts';
import { messageOf, PermanentError, RetryableError } from '../../../platform/errors.ts';
import { SqliteIndexes } from './indexes.ts';
import type { Answer, Call, Failure, WorkerInput } from './messages.ts';

/** The thread of one client: SQLite is synchronous, and neither a search nor a batch of entries may delay its caller. */

runInBackground();
const indexes = new SqliteIndexes(workerData as WorkerInput);

/** Batches in hand, which have turns left while later calls are answered. */
const inHand = new Set<Promise<void>>();

parentPort?.on('message', (call: Call) => {
  const answered = call.name === 'close' ? close(call) : answer(call);
  inHand.add(answered);
  void answered.then(() => inHand.delete(answered));
});

/** The last call of all. */
async function close({ number }: Call): Promise<void> {
  await Promise.all(inHand);
  indexes.close();
  tell({ number, outcome: 'done', value: null });
  parentPort?.close();
}

async function answer(call: Call): Promise<void> {
  const { number, deadline } = call;
  try {
    if (deadline !== null && systemClock.monotonic() >= deadline) {
      throw new RetryableError('Too many searches are waiting');
    }
    tell({ number, outcome: 'done', value: await perform(call) });
  } catch (thrown) {
    tell({ number, outcome: 'failed', error: failureOf(thrown) });
  }
}

async function perform(call: Call): Promise<unknown> {
  switch (call.name) {
    case 'declare':
      return await indexes.declare(call.given.index);
    case 'put':
      return await indexes.put(call.given.index, call.given.entries);
    case 'remove':
      return await indexes.remove(call.given.index, call.given.ids);
    case 'seal':
      return await indexes.seal(call.given.index, call.given.seal, call.given.without);
    case 'seals':
      return await indexes.seals(call.given.index);
    case 'query':
      return await indexes.query(call.given.index, call.given.query);
    case 'contents':
      return await indexes.contents(call.given.index, call.given.after);
    case 'indexes':
      return await indexes.indexes();
    case 'drop':
      return await indexes.drop(call.given.index);
    case 'check':
      return await indexes.check();
    case 'close':
      return null;
  }
}

function failureOf(thrown: unknown): Failure {
  const message = messageOf(thrown);
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  if (thrown instanceof RetryableError) return { kind: 'retryable', message, cause };
  if (thrown instanceof PermanentError) return { kind: 'permanent', message, cause };
  return { kind: 'fault', message, cause: thrown };
}

function tell(message: Answer): void {
  parentPort?.postMessage(message);
}
