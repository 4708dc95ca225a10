import { startWorker, type WorkerThread } from '../../platform/threads/start-worker.ts';
import type { OperatorFunctions, OperatorInput } from './entry.ts';

/** The thread that the operator page asks. It is started by the first question: a process that nobody looks at has none. */
export type Operator = OperatorFunctions & AsyncDisposable;

export function createOperator(input: OperatorInput): Operator {
  let thread: WorkerThread<OperatorFunctions> | null = null;
  const started = (): WorkerThread<OperatorFunctions> => {
    if (thread) return thread;
    const begun = startWorker<OperatorFunctions>(new URL('entry.ts', import.meta.url), {
      input,
      holdsProcess: false,
    });
    thread = begun;
    // The calls that wait are told why; the next one starts another.
    begun.broken.catch(() => {
      if (thread === begun) thread = null;
    });
    return begun;
  };
  return {
    overview: () => started().call('overview'),
    parked: (id) => started().call('parked', id),
    preview: (act) => started().call('preview', act),
    act: (act, shown) => started().call('act', act, shown),
    [Symbol.asyncDispose]: async () => {
      await thread?.[Symbol.asyncDispose]();
    },
  };
}
