import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Clock } from '../../../platform/clock.ts';
import { messageOf, PermanentError, RetryableError } from '../../../platform/errors.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { Position } from '../port.ts';
import type { KafkaClient, PartitionLeader } from './client.ts';
import { findBehind, givenUp, refusedAt, Suspicions } from './damage.ts';
import type { PartitionAnswer } from './fetch-response.ts';
import { within, type ReconnectingClient } from './reconnecting-client.ts';
import { scanBatches, type Fault } from './record-batches.ts';
import { readSlices, type Slice } from './slices.ts';
import { ERROR } from './vendor.ts';

/*
 * Reads for any number of partitions at once. A broker answers the requests of a connection one after the other, and a
 * request that waits for records holds up the next: so everything that is wanted of one broker is asked for together.
 *
 *   wanted --asked for, nothing there--> wanted
 *   wanted --batches--> given     wanted --not in the log--> elsewhere
 *   wanted --batches that cannot be read--> wanted, in another way (damage.ts) --in vain--> given as a range
 *   wanted --no answer, or a refusal--> failed: whoever wants it may ask again
 */

export type Fetched =
  /** One slice at least, the first of which begins at the position that was asked for. */
  | { readonly kind: 'records'; readonly slices: AsyncGenerator<Slice, void, undefined> }
  /** The position is below the earliest or beyond the latest one. */
  | { readonly kind: 'elsewhere'; readonly earliest: Position; readonly latest: Position };

export interface FetcherOptions {
  readonly link: ReconnectingClient;
  readonly clock: Clock;
  /** How long a broker may wait for the first record, in milliseconds: also how long a newcomer waits to be asked for. */
  readonly waitMs: number;
  /** How long a broker may take beyond that. */
  readonly requestMs: number;
  readonly logger?: Pick<Logger, 'warn'> | undefined;
}

interface Want {
  readonly topic: string;
  readonly partition: number;
  readonly from: Position;
  /** Not asked for before this moment, by the monotonic clock. */
  notBefore: number;
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
  readonly #leaders = new Map<string, ReadonlyMap<number, PartitionLeader>>();
  readonly #suspicions = new Suspicions();
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
        notBefore: 0,
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
    const now = this.#options.clock.monotonic();
    for (const want of this.#wants) {
      const place = `${want.topic}/${want.partition}`;
      if (!chosen.has(place) && want.notBefore <= now) chosen.set(place, want);
    }
    for (const topic of new Set([...chosen.values()].map((want) => want.topic))) {
      if (this.#leaders.has(topic)) continue;
      const partitions = await client.partitions(topic);
      this.#leaders.set(topic, new Map(partitions.map((found) => [found.partition, found])));
    }
    const byLeader = new Map<number, Want[]>();
    for (const want of chosen.values()) {
      const asked = this.#brokerFor(want);
      if (asked === null) {
        // Of a topic that is gone, the group takes the partitions away by itself.
        this.#leaders.delete(want.topic);
        want.fail(new RetryableError(`${want.topic}/${want.partition} has no leader at the moment.`));
      } else {
        byLeader.set(asked, [...(byLeader.get(asked) ?? []), want]);
      }
    }
    return byLeader;
  }

  #brokerFor({ topic, partition, from }: Want): number | null {
    const { leader = null, others = [] } = this.#leaders.get(topic)?.get(partition) ?? {};
    const replica = this.#suspicions.retrial(topic, partition, from)?.replica ?? null;
    return replica === null ? leader : (others[replica % others.length] ?? leader);
  }

  async #ask(client: KafkaClient, leader: number, wants: readonly Want[], generation: number): Promise<void> {
    const { waitMs, requestMs, link } = this.#options;
    try {
      const { partitions } = await within(waitMs + requestMs, 'reading', () =>
        client.fetch(leader, wants, waitMs),
      );
      if (generation !== this.#generation) return;
      const outcomes = new Set<Taken>();
      for (const answer of partitions) {
        const want = wants.find((one) => one.topic === answer.topic && one.partition === answer.partition);
        if (want && this.#wants.has(want)) outcomes.add(await this.#take(client, leader, want, answer));
      }
      if (generation !== this.#generation) return;
      if (outcomes.has('renew')) {
        this.renew();
        return;
      }
      if (outcomes.has('moved')) await this.#options.clock.sleep(MOVED_MS, this.#closing.signal);
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

  async #take(client: KafkaClient, asked: number, want: Want, answer: PartitionAnswer): Promise<Taken> {
    const { topic, partition, from } = want;
    // Another replica that refuses, or has nothing yet, does not clear the leader's batch of its fault.
    const isReplica = (this.#suspicions.retrial(topic, partition, from)?.replica ?? null) !== null;
    const known = isReplica ? this.#suspicions.fault(topic, partition, from) : null;
    if (known && answer.errorCode !== ERROR.none) return this.#suspect(client, asked, want, known);
    switch (answer.errorCode) {
      case ERROR.none: {
        const { batches, fault } = scanBatches(answer.bytes, from, answer.end);
        if (batches.length > 0) {
          this.#suspicions.clear(topic, partition, from);
          const { aborted } = answer;
          want.give({ kind: 'records', slices: readSlices(batches, { topic, partition, from, aborted }) });
          return 'settled';
        }
        const found = fault ?? known;
        return found ? this.#suspect(client, asked, want, found) : 'settled';
      }
      case ERROR.offsetOutOfRange: {
        const ends = (await client.ends(topic)).find((end) => end.partition === partition);
        // Replicas may differ for a moment: what is in the log by now is asked for again.
        if (!ends || (from >= ends.earliest && from <= ends.latest)) return 'moved';
        want.give({ kind: 'elsewhere', earliest: ends.earliest, latest: ends.latest });
        return 'settled';
      }
      case ERROR.topicAuthorizationFailed:
        // Of a lane that reads already: the rights are being changed.
        want.fail(new RetryableError(`Kafka keeps ${topic} from this user. Give it rights on the topic.`));
        return 'settled';
      case ERROR.corruptMessage:
        return this.#suspect(client, asked, want, refusedAt(from));
      default:
        // The leader has moved, or the partition is gone: both show in what the brokers say of the topic now.
        this.#leaders.delete(topic);
        return 'moved';
    }
  }

  /** Has it asked for again; where that was in vain, gives what it comes to. */
  async #suspect(client: KafkaClient, asked: number, want: Want, fault: Fault): Promise<Taken> {
    const { topic, partition, from } = want;
    const { clock, logger, requestMs } = this.#options;
    const retrial = this.#suspicions.suspect(topic, partition, from, fault);
    if (fault.kind !== 'cut')
      logger?.warn({ topic, partition, position: from, reason: fault.reason }, 'a batch cannot be read');
    if (retrial) {
      want.notBefore = clock.monotonic() + retrial.pauseMs;
      void clock.sleep(retrial.pauseMs, this.#closing.signal).then(() => this.#wake());
      // A leader that has changed since shows there too.
      this.#leaders.delete(topic);
      return retrial.isRenewed ? 'renew' : 'settled';
    }
    this.#suspicions.clear(topic, partition, from);
    const to = await findBehind(client, asked, want, fault, requestMs);
    if (to === null) {
      want.fail(new RetryableError(`${topic}/${partition} cannot be read from ${from} on: ${fault.reason}.`));
    } else {
      want.give({ kind: 'records', slices: givenUp(want, { ...fault, from }, to) });
    }
    return 'settled';
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

/**
 * `moved`: it is not there, or not there yet, and is asked for again after a pause; `renew`: it is asked for again with
 * another client.
 */
type Taken = 'settled' | 'moved' | 'renew';
