import { systemClock } from '../../platform/clock.ts';
import { recur } from '../../platform/rest.ts';
import { startWorker } from '../../platform/worker.ts';
import type { SayRendering } from '../rendering.ts';
import type { ProjectorFunctions, ThreadInput } from './entry.ts';

/**
 * Projecting in a thread of its own: the embedded stores are synchronous, and a fold must not delay a request.
 * Disposing it finishes and checkpoints the batches in hand. After a break, the next start goes on at the last checkpoint.
 */
export interface ProjectorThread extends AsyncDisposable {
  /** Lets it work: until then it loads what it is made of, and touches nothing. */
  begin(): void;
  health(): ReturnType<ProjectorFunctions['health']>;
  /** Prometheus text of the thread's own registry. */
  metrics(): Promise<string>;
  readonly sayRendering: SayRendering;
  /** Resolves once the thread has joined its groups; rejects with the reason why it could not start. */
  readonly ready: Promise<void>;
  /** Rejects when the thread dies before it was told to stop; never resolves. */
  readonly failure: Promise<never>;
}

/** `others` says how busy other threads have been that readers wait for, since it was asked last, from 0 to 1. */
export function startProjectorThread(
  given: Omit<ThreadInput, 'utilization'>,
  others: () => number = () => 0,
): ProjectorThread {
  const busy = watchUtilization(others);
  const input: ThreadInput = { ...given, utilization: busy.shared };
  const thread = startWorker<ProjectorFunctions>(new URL('entry.ts', import.meta.url), {
    input,
    holdsProcess: true,
  });
  const ready = thread.call('ready');
  // Nobody has to wait for it.
  ready.catch(() => undefined);
  return {
    // What comes of it is told by `ready`.
    begin: () => void thread.call('begin').catch(() => undefined),
    health: () => thread.call('health'),
    metrics: () => thread.call('metrics'),
    sayRendering: (name, word) => thread.call('sayRendering', name, word),
    ready,
    failure: thread.broken,
    [Symbol.asyncDispose]: () => {
      busy[Symbol.dispose]();
      return thread[Symbol.asyncDispose]();
    },
  };
}

/** How often it is said how busy this thread is, in milliseconds. */
const SAY_MS = 1000;

/** Writes how busy the calling thread has been lately, or one of the others, to where the projecting one reads it. */
function watchUtilization(others: () => number): Disposable & { readonly shared: SharedArrayBuffer } {
  const shared = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT);
  const busy = new Float64Array(shared);
  let before = performance.eventLoopUtilization();
  const over = new AbortController();
  void recur(systemClock, SAY_MS, over.signal, () => {
    const now = performance.eventLoopUtilization();
    busy[0] = Math.max(performance.eventLoopUtilization(now, before).utilization, others());
    before = now;
  });
  return { shared, [Symbol.dispose]: () => over.abort() };
}
