import type { Clock } from '../../../platform/time/clock.ts';
import { RetryableError } from '../../../platform/errors.ts';
import { logIsClosed } from '../adapter-base.ts';
import type { Backoff } from './connect-backoff.ts';
import type { KafkaClient } from './cluster-client.ts';
import { isAnswer, isTopicRefusal, translateKafka } from './errors.ts';

/*
 * The client in use for one purpose:
 *
 *   none --asked for--> connecting --> connected --failed, or dropped--> none
 *   any --disposed--> closed
 */

interface ReconnectingClientParts<Client> {
  readonly connect: () => Promise<Client>;
  readonly backoff: Backoff;
  readonly clock: Clock;
}

export class ReconnectingClient<Client extends Disposable = KafkaClient> implements Disposable {
  readonly #parts: ReconnectingClientParts<Client>;
  #current: { readonly connecting: Promise<Client>; connected: Client | null; since: number } | null = null;
  #closed = false;
  /** Whether a client was ever let in, and whether a question was ever answered: a later refusal may pass. */
  #wasLetIn = false;
  #wasAnswered = false;
  /** The topics that a question was answered of. */
  readonly #topics = new Set<string>();

  constructor(parts: ReconnectingClientParts<Client>) {
    this.#parts = parts;
  }

  /** The client in use, or a new one. */
  async connected(): Promise<Client> {
    if (this.#closed) throw logIsClosed();
    if (this.#current) return this.#current.connecting;
    const { backoff, connect, clock } = this.#parts;
    const open = async (): Promise<Client> => {
      // It may have waited for its turn since.
      if (this.#closed) throw logIsClosed();
      return await connect();
    };
    const connecting = backoff.attempt(open).catch((thrown: unknown) => {
      throw translateKafka('connecting', thrown, this.#wasLetIn);
    });
    const current = { connecting, connected: null as Client | null, since: 0 };
    this.#current = current;
    try {
      const connected = await connecting;
      current.connected = connected;
      current.since = clock.monotonic();
      this.#wasLetIn = true;
      if (this.#current !== current) connected[Symbol.dispose]();
      return connected;
    } catch (thrown) {
      if (this.#current === current) this.#current = null;
      throw thrown;
    }
  }

  /**
   * Runs one call on the client, for `limitMs` at most. A client whose call failed for no reason that Kafka itself has
   * given is dropped: nothing says that it would ever answer again.
   * @param topics that the call is about: what others have answered says nothing of the right to them.
   */
  async use<T>(
    what: string,
    limitMs: number,
    work: (client: Client) => Promise<T>,
    topics: readonly string[] = [],
  ): Promise<T> {
    let client: Client | undefined;
    try {
      const answer = await answerWithin(limitMs, what, async () => {
        client = await this.connected();
        return work(client);
      });
      this.#wasAnswered = true;
      for (const topic of topics) this.#topics.add(topic);
      return answer;
    } catch (thrown) {
      if (client && !isAnswer(thrown)) this.drop(client);
      const isNewTopic = topics.some((topic) => !this.#topics.has(topic)) && isTopicRefusal(thrown);
      throw translateKafka(what, thrown, this.#wasAnswered && !isNewTopic);
    }
  }

  /**
   * Closes the client, if it is still the one in use; the next call makes a new one. One that is not `isLost` was let go of:
   * nobody need wait before the next attempt to connect.
   */
  drop(client: Client, isLost = true): void {
    if (this.#current?.connected !== client) return;
    if (isLost) this.#parts.backoff.lost(this.#current.since);
    this.#current = null;
    client[Symbol.dispose]();
  }

  /** Closes the client in use, and leaves alone what is being connected. */
  dropConnected(isLost = true): void {
    if (this.#current?.connected) this.drop(this.#current.connected, isLost);
  }

  [Symbol.dispose](): void {
    this.#closed = true;
    this.dropConnected();
    // What is still being connected is closed as soon as it is.
    this.#current = null;
  }
}

/** Nothing was heard in time. */
export class NoAnswer extends RetryableError {}

/** Rejects with `NoAnswer` once the time is over; the work is not ended by that. */
export async function answerWithin<T>(limitMs: number, what: string, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new NoAnswer(`Kafka, ${what}: no answer in ${Math.ceil(limitMs)} ms.`)),
      limitMs,
    );
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
