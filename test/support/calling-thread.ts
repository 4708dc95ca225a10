import { workerData } from 'node:worker_threads';

import { PermanentError, RetryableError } from '../../src/platform/errors.ts';
import { offer } from '../../src/platform/threads/offer-functions.ts';

/** A thread for the tests of calls between threads. */
export interface CallingFunctions {
  input(): Promise<unknown>;
  fail(kind: 'retryable' | 'permanent' | 'fault'): Promise<void>;
  /** Answers after a while. */
  later(value: string, ms: number): Promise<string>;
  break(): Promise<never>;
}

const ERRORS = { retryable: RetryableError, permanent: PermanentError, fault: TypeError };

const functions: CallingFunctions = {
  input: async () => workerData as unknown,
  fail: async (kind) => {
    throw new ERRORS[kind](`it is ${kind}`, { cause: new Error('what is behind it') });
  },
  later: async (value, ms) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return value;
  },
  break: () => {
    setImmediate(() => {
      throw new Error('the thread broke');
    });
    return new Promise(() => undefined);
  },
};

offer(functions, async (answered) => {
  await answered;
});
