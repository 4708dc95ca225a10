import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Clock } from '../../../platform/clock.ts';
import { messageOf, PermanentError, RetryableError } from '../../../platform/errors.ts';
import type { LogRecord, Position } from '../port.ts';
import type { KafkaClient } from './client.ts';
import type { PartitionAnswer } from './fetch-answer.ts';
import type { Link } from './link.ts';
import { within } from './link.ts';
import { ERROR } from './vendor.ts';

/*
 * Reads for any number of partitions at once. A broker answers the requests of a connection one after the other, and a
 * request that waits for records holds up the next: so everything that is wanted of one broker is asked for together.
 *
 *   wanted --asked for, nothing there--> wanted
 *   wanted --records, or a hole--> given     wanted --not in the log--> elsewhere
 *   wanted --no answer, or a refusal--> failed: whoever wants it may ask again
 */

export type Fetched =
  /** What stands from `from` up to `next`; without records where it is a hole. */
  | {
      readonly kind: 'records';
      readonly from: Position;
      readonly next: Position;
      readonly records: readonly LogRecord[];
    }
  /** The position is below the earliest or beyond the latest one, or the partition is gone. */
  | { readonly kind: 'elsewhere'; readonly earliest: Position; readonly latest: Position };

export interface FetcherOptions {
  readonly link: Link;
  readonly clock: Clock;
  /** How long a broker may wait for the first record, in milliseconds: also how long a newcomer waits to be asked for. */
  readonly waitMs: number;
  /** How long a broker may take beyond that. */
  readonly requestMs: number;
}

interface Want {
  readonly topic: string;
  readonly partition: number;
  readonly from: Position;
  readonly give: (fetched: Fetched) => void;
  readonly fail: (reason: Error) => void;
}

/** The pause before a partition whose leader has moved is asked for again. */
const MOVED_MS = 100;

export class Fetcher implements Disposable {
  readonly #options: FetcherOptions;
  readonly #wants = new Set<Want>();
  /** Brokers that have been asked and have not answered yet. */
  readonly #asked = new Set<number>();
  /** By topic; forgotten as soon as a broker says that it is not the leader. */
  readonly #leaders = new Map<string, ReadonlyMap<number, number | null>>();
  readonly #closing = new AbortController();
  /** Answers to what was asked before it was raised count no more. */
  #generation = 0;
  #client: KafkaClient | null = null;
  #askingSince = Infinity;
  #pumping = false;
  #again = false;

  constructor(options: FetcherOptions) {
    this.#options = options;
  }

  /** Since when the client in use is asked; `Infinity` while there is none. */
  get askingSince(): number {
    return this.#client === null ? Infinity : this.#askingSince;
  }

  /** Resolves as soon as there is something at `from`, or it is clear that there is nothing to wait for. */
  fetch(topic: string, partition: number, from: Position, signal: AbortSignal): Promise<Fetched> {
    return new Promise((resolve, reject) => {
      const settle = (outcome: () => void): void => {
        this.#wants.delete(want);
        signal.removeEventListener('abort', abandon);
        outcome();
      };
      const want: Want = {
        topic,
        partition,
        from,
        give: (fetched) => settle(() => resolve(fetched)),
        fail: (reason) => settle(() => reject(reason)),
      };
      const abandon = (): void => want.fail(new RetryableError('Nobody waits for these records any more.'));
      if (signal.aborted || this.#closing.signal.aborted) {
        reject(new PermanentError('The log is closed.'));
        return;
      }
      signal.addEventListener('abort', abandon);
      this.#wants.add(want);
      this.#wake();
    });
  }

  /** Throws the client away and asks for everything anew with another one. */
  renew(): void {
    this.#generation += 1;
    this.#options.link.dropConnected();
    this.#client = null;
    this.#asked.clear();
    this.#leaders.clear();
    this.#wake();
  }

  [Symbol.dispose](): void {
    this.#closing.abort();
    for (const want of this.#wants) want.fail(new PermanentError('The log is closed.'));
    this.#options.link[Symbol.dispose]();
  }

  #wake(): void {
    this.#again = true;
    if (!this.#pumping) void this.#pump();
  }

  /** Asks every broker that is free for what is wanted of it, until there is nobody left to ask. */
  async #pump(): Promise<void> {
    this.#pumping = true;
    while (this.#again && !this.#closing.signal.aborted) {
      this.#again = false;
      // Those who want something at the same time are asked for together.
      await nextTurn();
      if (this.#wants.size > 0) await this.#askAll();
    }
    this.#pumping = false;
  }

  async #askAll(): Promise<void> {
    const generation = this.#generation;
    const { requestMs } = this.#options;
    let client: KafkaClient;
    let byLeader: ReadonlyMap<number, readonly Want[]>;
    try {
      client = await within(requestMs, 'connecting to read', () => this.#options.link.client());
      byLeader = await within(requestMs, 'looking for leaders', () => this.#byLeader(client));
    } catch (thrown) {
      if (generation === this.#generation) this.#fail([...this.#wants], thrown);
      return;
    }
    if (generation !== this.#generation) return;
    if (this.#client !== client) {
      this.#client = client;
      this.#askingSince = this.#options.clock.monotonic();
    }
    for (const [leader, wants] of byLeader) {
      if (this.#asked.has(leader)) continue;
      this.#asked.add(leader);
      void this.#ask(client, leader, wants, generation);
    }
  }

  /** At most one want a partition: a request cannot name one twice, and the others have their turn with the next. */
  async #byLeader(client: KafkaClient): Promise<ReadonlyMap<number, readonly Want[]>> {
    // The oldest first: a broker gives the first one something however large it is, and cuts off where an answer is full.
    const chosen = new Map<string, Want>();
    for (const want of this.#wants) {
      const place = `${want.topic}/${want.partition}`;
      if (!chosen.has(place)) chosen.set(place, want);
    }
    for (const topic of new Set([...chosen.values()].map((want) => want.topic))) {
      if (this.#leaders.has(topic)) continue;
      const partitions = await client.partitions(topic);
      this.#leaders.set(topic, new Map(partitions.map(({ partition, leader }) => [partition, leader])));
    }
    const byLeader = new Map<number, Want[]>();
    for (const want of chosen.values()) {
      const leader = this.#leaders.get(want.topic)?.get(want.partition);
      if (leader === undefined) {
        this.#leaders.delete(want.topic);
        want.give({ kind: 'elsewhere', earliest: 0, latest: 0 });
      } else if (leader === null) {
        this.#leaders.delete(want.topic);
        want.fail(new RetryableError(`${want.topic}/${want.partition} has no leader at the moment.`));
      } else {
        byLeader.set(leader, [...(byLeader.get(leader) ?? []), want]);
      }
    }
    return byLeader;
  }

  async #ask(client: KafkaClient, leader: number, wants: readonly Want[], generation: number): Promise<void> {
    const { waitMs, requestMs, link } = this.#options;
    try {
      const { partitions } = await within(waitMs + requestMs, 'reading', () =>
        client.fetch(leader, wants, waitMs),
      );
      if (generation !== this.#generation) return;
      let hasMoved = false;
      for (const answer of partitions) {
        const want = wants.find((one) => one.topic === answer.topic && one.partition === answer.partition);
        if (want && this.#wants.has(want))
          hasMoved = (await this.#take(client, want, answer)) === 'moved' || hasMoved;
      }
      if (hasMoved) await this.#options.clock.sleep(MOVED_MS, this.#closing.signal);
    } catch (thrown) {
      if (generation !== this.#generation) return;
      // Nothing says that this client would ever answer again.
      link.drop(client);
      this.#client = null;
      this.#leaders.clear();
      this.#fail(wants, thrown);
    }
    if (generation !== this.#generation) return;
    this.#asked.delete(leader);
    this.#wake();
  }

  /** `moved`: it is not there, or not there yet, and is asked for again after a pause. */
  async #take(client: KafkaClient, want: Want, answer: PartitionAnswer): Promise<'settled' | 'moved'> {
    const { topic, partition, from } = want;
    switch (answer.errorCode) {
      case ERROR.none:
        take(want, answer);
        return 'settled';
      case ERROR.offsetOutOfRange: {
        const ends = (await client.ends(topic)).find((end) => end.partition === partition);
        const { earliest = 0, latest = 0 } = ends ?? {};
        // Replicas may differ for a moment: what is in the log by now is asked for again.
        if (from >= earliest && from <= latest) return 'moved';
        want.give({ kind: 'elsewhere', earliest, latest });
        return 'settled';
      }
      case ERROR.topicAuthorizationFailed:
        want.fail(new PermanentError(`Kafka keeps ${topic} from this user. Give it rights on the topic.`));
        return 'settled';
      case ERROR.corruptMessage:
        want.fail(new RetryableError(`Kafka finds ${topic}/${partition} damaged at ${from}.`));
        return 'settled';
      default:
        // The leader has moved, or the partition is gone: both show in what the brokers say of the topic now.
        this.#leaders.delete(topic);
        return 'moved';
    }
  }

  #fail(wants: readonly Want[], thrown: unknown): void {
    const reason =
      thrown instanceof PermanentError
        ? new RetryableError(thrown.message, { cause: thrown })
        : thrown instanceof RetryableError
          ? thrown
          : new RetryableError(`Kafka, reading: ${messageOf(thrown)}`, { cause: thrown });
    for (const want of wants) want.fail(reason);
  }
}

/** Gives what is there, if anything is. */
function take(want: Want, { batches }: PartitionAnswer): void {
  const { topic, partition, from } = want;
  try {
    const { records, next } = batches();
    if (next === null || next <= from) return;
    // The first batch may begin before the position that was asked for.
    const wanted =
      records[0] && records[0].position < from ? records.filter(({ position }) => position >= from) : records;
    want.give({ kind: 'records', from, next, records: wanted });
  } catch (thrown) {
    want.fail(
      thrown instanceof PermanentError
        ? thrown
        : new PermanentError(
            `The records of ${topic}/${partition} from ${from} cannot be read: ${messageOf(thrown)}`,
            {
              cause: thrown,
            },
          ),
    );
  }
}
