import { startWorker } from '../../platform/threads/start-worker.ts';
import type { ProjectorFunctions, ThreadInput } from './entry.ts';

/**
 * Projecting in a thread of its own: the embedded stores are synchronous, and a fold must not delay a request.
 * Disposing it finishes and checkpoints the batches in hand. After a break, the next start goes on at the last checkpoint.
 */
export function startProjectorThread(given: Omit<ThreadInput, 'utilization'>) {
  const busy = watchUtilization();
  const input: ThreadInput = { ...given, utilization: busy.shared };
  const thread = startWorker<ProjectorFunctions>(new URL('entry.ts', import.meta.url), {
    input,
    holdsProcess: true,
  });
  const ready = thread.call('ready');
  // Nobody has to wait for it.
  ready.catch(() => undefined);
  return {
    /** Lets it work: until then it loads what it is made of, and touches nothing. What comes of it is told by `ready`. */
    begin: () => void thread.call('begin').catch(() => undefined),
    health: () => thread.call('health'),
    /** Prometheus text of the thread's own registry. */
    metrics: () => thread.call('metrics'),
    /** Resolves once the thread has joined its groups; rejects with the reason why it could not start. */
    ready,
    /** Rejects when the thread dies before it was told to stop; never resolves. */
    failure: thread.broken,
    [Symbol.asyncDispose]: () => {
      busy[Symbol.dispose]();
      return thread[Symbol.asyncDispose]();
    },
  };
}

/** How often it is said how busy this thread is, in milliseconds. */
const SAY_MS = 1000;

/** Writes how busy the calling thread has been lately to where the projecting one reads it. */
function watchUtilization(): Disposable & { readonly shared: SharedArrayBuffer } {
  const shared = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT);
  const busy = new Float64Array(shared);
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    busy[0] = performance.eventLoopUtilization(now, before).utilization;
    before = now;
  }, SAY_MS);
  return { shared, [Symbol.dispose]: () => clearInterval(timer) };
}
