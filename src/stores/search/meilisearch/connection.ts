import {
  Meilisearch,
  MeilisearchApiError,
  MeilisearchRequestError,
  type EnqueuedTask,
  type Task,
} from 'meilisearch';

import { systemClock } from '../../../platform/time/clock.ts';
import { messageOf, PermanentError, RetryableError } from '../../../platform/errors.ts';
import { translateMeilisearch } from './errors.ts';

export interface ConnectionOptions {
  /** The API key: one that may search is enough for an API instance. Default: none. */
  readonly key?: string | null;
  /** The longest that a request may take, in milliseconds. Default 10,000. */
  readonly requestMs?: number;
  /** How long a task is waited for, in milliseconds. Default 20,000. */
  readonly taskMs?: number;
}

/** Between two questions whether a task is done, in milliseconds: often at first, for most take some ten. */
const FIRST_PAUSE_MS = 4;
const LONGEST_PAUSE_MS = 250;
/** Measured on 1.50: many compressed answers came some 40 ms later, as if their last piece had waited for a receipt. */
const UNCOMPRESSED = { headers: { 'accept-encoding': 'identity' } };

export type MeilisearchConnection = ReturnType<typeof connectMeilisearch>;

/** Open until it is closed. Its only state is which calls are in hand. @throws {PermanentError} where the URL is none. */
export function connectMeilisearch(url: string, options: ConnectionOptions) {
  const { taskMs = 20_000 } = options;
  const { host, client } = clientOf(url, options);
  const inHand = new Set<Promise<unknown>>();
  let isClosed = false;

  /**
   * One request, and its errors in our terms. Where the connection broke it is made once more, on a new one: a server
   * that was restarted leaves broken ones behind, and whatever we ask for can be asked for twice.
   */
  async function request<T>(ask: (client: Meilisearch) => Promise<T>): Promise<T> {
    try {
      return await ask(client).catch((thrown: unknown) => {
        if (isBroken(thrown)) return ask(client);
        throw thrown;
      });
    } catch (thrown) {
      throw translateMeilisearch(host, thrown);
    }
  }

  /** What the engine refuses is the caller's to judge; what it could not do is not. */
  function checked(task: Task): Task {
    const isRefused = task.status === 'failed' && task.error?.type === 'invalid_request';
    if (task.status === 'succeeded' || isRefused) return task;
    const reason = task.error?.message ?? task.status;
    throw new RetryableError(`Meilisearch at ${host} has not done task ${task.uid}: ${reason}`);
  }

  return {
    request,
    /** Runs a whole call of the port: closing waits for it. */
    run: async <T>(call: () => Promise<T>): Promise<T> => {
      if (isClosed) throw new PermanentError(`Meilisearch at ${host} was closed by this process.`);
      const running = call();
      inHand.add(running);
      try {
        return await running;
      } finally {
        inHand.delete(running);
      }
    },
    /**
     * Gives the engine work, and waits until it has done or refused it. Tasks of one index are done in the order in which
     * they were accepted: one that is given up here is not overtaken by a later one.
     * @throws {RetryableError} where the engine gives none of both answers in time, or has trouble of its own.
     */
    work: async (ask: (client: Meilisearch) => Promise<EnqueuedTask>): Promise<Task> => {
      const { taskUid } = await request(ask);
      const until = systemClock.monotonic() + taskMs;
      for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
        const task = await request((it) => it.tasks.getTask(taskUid));
        if (task.status !== 'enqueued' && task.status !== 'processing') return checked(task);
        if (systemClock.monotonic() >= until)
          throw new RetryableError(`Meilisearch at ${host} has not done task ${taskUid} in ${taskMs} ms`);
        await systemClock.sleep(pause);
      }
    },
    close: async (): Promise<void> => {
      isClosed = true;
      await Promise.allSettled(inHand);
    },
  };
}

function clientOf(url: string, { key, requestMs = 10_000 }: ConnectionOptions) {
  try {
    const settings = { apiKey: key ?? '', timeout: requestMs, requestInit: UNCOMPRESSED };
    return { host: new URL(url).host, client: new Meilisearch({ host: url, ...settings }) };
  } catch (thrown) {
    throw new PermanentError(`CATALOG_SEARCH_URL: ${messageOf(thrown)}`, { cause: thrown });
  }
}

/**
 * Whether a request ended with its connection; not by its time limit. A 408 is the server's farewell to a connection that was
 * idle for long: it crosses the request, of which nothing was read.
 */
function isBroken(thrown: unknown): boolean {
  if (thrown instanceof MeilisearchApiError) return thrown.response.status === 408;
  return thrown instanceof MeilisearchRequestError && thrown.cause instanceof TypeError;
}
