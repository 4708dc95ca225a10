import { startWorkerWhenCalled } from '../../platform/threads/start-worker.ts';
import type { OperatorFunctions, OperatorInput } from './entry.ts';

/** The thread that the operator page asks. It is started by the first question: a process that nobody looks at has none. */
export type Operator = OperatorFunctions & AsyncDisposable;

export function createOperator(input: OperatorInput): Operator {
  const thread = startWorkerWhenCalled<OperatorFunctions>(new URL('entry.ts', import.meta.url), { input });
  return {
    overview: () => thread.call('overview'),
    parked: (id) => thread.call('parked', id),
    preview: (act) => thread.call('preview', act),
    act: (act, shown) => thread.call('act', act, shown),
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  };
}
