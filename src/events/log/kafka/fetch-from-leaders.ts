import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Clock } from '../../../platform/time/clock.ts';
import { messageOf, RetryableError } from '../../../platform/errors.ts';
import type { Logger } from '../../../platform/logger.ts';
import { logIsClosed } from '../adapter-base.ts';
import type { FetchedPart, KafkaClient, PartitionLeader } from './cluster-client.ts';
import { committedRecords } from './committed-records.ts';
import {
  brokerFor,
  damagedRange,
  positionAfterDamage,
  REFUSED,
  type Suspect,
  suspectAfter,
} from './retry-and-skip-damage.ts';
import { translateKafka } from './errors.ts';
import { ERROR, type PartitionResponse } from './fetch-response.ts';
import { NoAnswer, type ReconnectingClient, answerWithin } from './reconnecting-client.ts';
import { type Fault, scanBatches } from './record-batches.ts';
import { FetchBuffer, type FetchResult } from './fetch-buffer.ts';

/*
 * Reads for any number of partitions at once. A broker answers the requests of a connection one after the other, and a
 * request that waits for records holds up the next: so everything that is wanted of one broker is asked for together.
 *
 *   wanted --asked for, nothing there--> wanted
 *   wanted --batches--> given     wanted --not in the log--> elsewhere
 *   wanted --batches that cannot be read--> wanted, in another way (retry-and-skip-damage.ts) --in vain--> given as a range
 *   wanted --no answer, or a refusal--> failed, and may be wanted again
 */

interface FetcherOptions {
  readonly client: ReconnectingClient;
  readonly clock: Clock;
  /** How long a broker may take beyond its wait for records, in milliseconds. */
  readonly requestMs: number;
  readonly logger?: Pick<Logger, 'warn'> | undefined;
}

/** A position that somebody waits for. */
interface FetchRequest extends FetchedPart {
  /** Set where what came could not be read. */
  suspect: Suspect | null;
  /** Not asked for before this moment, by the monotonic clock. */
  notBefore: number;
  readonly give: (fetched: FetchResult) => void;
  readonly fail: (reason: Error) => void;
}

/** `moved`: it is not there yet, and is asked for after a pause; `renew`: it is asked for with another client. */
type FetchOutcome = 'settled' | 'moved' | 'renew';

/** How long a broker waits for records: also the longest that a position waits to be asked for. */
const WAIT_MS = 250;
/** The pause before a partition whose leader has moved is asked for again. */
const MOVED_MS = 100;
/** How long leaders are believed: one that another has replaced, and does not know it, goes on to answer with nothing. */
const LEADERS_MS = 10_000;

type Leaders = ReadonlyMap<number, PartitionLeader>;

/** A lane that reads already is never told that it is for good. */
function failRequests(wants: readonly FetchRequest[], thrown: unknown): void {
  const failure = translateKafka('reading', thrown, true);
  const reason =
    failure instanceof RetryableError ? failure : new RetryableError(messageOf(failure), { cause: thrown });
  for (const want of wants) want.fail(reason);
}

export class Fetcher implements Disposable {
  readonly #options: FetcherOptions;
  readonly #wants = new Set<FetchRequest>();
  /** Brokers that have been asked and have not answered yet. */
  readonly #asked = new Set<number>();
  /** By topic, with when they were last asked for; forgotten as soon as a broker says that it is not the leader. */
  readonly #leaders = new Map<string, { readonly byPartition: Leaders; since: number }>();
  readonly #closing = new AbortController();
  /** Answers to what was asked before it was raised count no more. */
  #generation = 0;
  #pumping = false;
  #again = false;

  constructor(options: FetcherOptions) {
    this.#options = options;
  }

  /** Resolves as soon as there is something at `from`, or it is clear that there is nothing to wait for. */
  async fetch(part: FetchedPart, signal: AbortSignal): Promise<FetchResult> {
    if (signal.aborted || this.#closing.signal.aborted) throw logIsClosed();
    const { promise, resolve: give, reject: fail } = Promise.withResolvers<FetchResult>();
    const want: FetchRequest = { ...part, suspect: null, notBefore: 0, give, fail };
    const abandon = (): void => fail(new RetryableError('Nobody waits for these records any more.'));
    signal.addEventListener('abort', abandon);
    this.#wants.add(want);
    this.#wake();
    try {
      return await promise;
    } finally {
      this.#wants.delete(want);
      signal.removeEventListener('abort', abandon);
    }
  }

  /** Asks for everything again with another client. */
  #renew(): void {
    this.#generation += 1;
    this.#options.client.dropConnected();
    this.#asked.clear();
    this.#leaders.clear();
    this.#wake();
  }

  [Symbol.dispose](): void {
    this.#closing.abort();
    for (const want of this.#wants) want.fail(logIsClosed());
    this.#options.client[Symbol.dispose]();
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
      // What is wanted at the same time is asked for together.
      await nextTurn();
      if (this.#wants.size > 0) await this.#askAll();
    }
    this.#pumping = false;
  }

  async #askAll(): Promise<void> {
    const generation = this.#generation;
    const { client, requestMs } = this.#options;
    let connected: KafkaClient | undefined;
    try {
      const asked = await answerWithin(requestMs, 'connecting to read', () => client.connected());
      connected = asked;
      const byBroker = await answerWithin(requestMs, 'looking for leaders', () => this.#byBroker(asked));
      if (generation !== this.#generation) return;
      for (const [broker, wants] of byBroker) {
        if (this.#asked.has(broker)) continue;
        this.#asked.add(broker);
        void this.#ask(asked, broker, wants);
      }
    } catch (thrown) {
      if (generation !== this.#generation) return;
      // Nothing says that it would ever answer again.
      if (connected && thrown instanceof NoAnswer) client.drop(connected);
      failRequests([...this.#wants], thrown);
    }
  }

  /** At most one want a partition: a request cannot name one twice, and the others have their turn with the next. */
  async #byBroker(client: KafkaClient): Promise<ReadonlyMap<number, readonly FetchRequest[]>> {
    // The oldest first: a broker gives the first one something however large it is, and cuts off where an answer is full.
    const chosen = new Map<string, FetchRequest>();
    const now = this.#options.clock.monotonic();
    for (const want of this.#wants) {
      const place = `${want.topic}/${want.partition}`;
      if (!chosen.has(place) && want.notBefore <= now) chosen.set(place, want);
    }
    const byBroker = new Map<number, FetchRequest[]>();
    const leaderless = new Set<string>();
    for (const want of chosen.values()) {
      const { topic, partition } = want;
      const leaders = await this.#leadersOf(client, topic);
      const broker = brokerFor(want.suspect, leaders.get(partition));
      if (broker === null) {
        // Of a topic that is gone, the group takes the partitions away by itself.
        leaderless.add(topic);
        want.fail(new RetryableError(`${topic}/${partition} has no leader at the moment.`));
      } else {
        byBroker.set(broker, [...(byBroker.get(broker) ?? []), want]);
      }
    }
    for (const topic of leaderless) this.#leaders.delete(topic);
    return byBroker;
  }

  /** What is known, at once: others are looked for meanwhile where that is old. */
  async #leadersOf(client: KafkaClient, topic: string): Promise<Leaders> {
    const { clock } = this.#options;
    const look = async (): Promise<Leaders> => {
      const partitions = await client.partitions(topic);
      const byPartition = new Map(partitions.map((found) => [found.partition, found]));
      this.#leaders.set(topic, { byPartition, since: clock.monotonic() });
      return byPartition;
    };
    const known = this.#leaders.get(topic);
    if (!known) return look();
    if (clock.monotonic() - known.since >= LEADERS_MS) {
      known.since = clock.monotonic();
      look().catch(() => this.#leaders.delete(topic));
    }
    return known.byPartition;
  }

  async #ask(client: KafkaClient, broker: number, wants: readonly FetchRequest[]): Promise<void> {
    const generation = this.#generation;
    try {
      const { partitions } = await answerWithin(WAIT_MS + this.#options.requestMs, 'reading', () =>
        client.fetch(broker, wants, WAIT_MS),
      );
      if (generation !== this.#generation) return;
      const outcomes = new Set<FetchOutcome>();
      for (const answer of partitions) {
        const want = wants.find((one) => one.topic === answer.topic && one.partition === answer.partition);
        if (want && this.#wants.has(want)) outcomes.add(await this.#take(client, broker, want, answer));
      }
      if (generation !== this.#generation) return;
      if (outcomes.has('renew')) return this.#renew();
      if (outcomes.has('moved')) await this.#options.clock.sleep(MOVED_MS, this.#closing.signal);
    } catch (thrown) {
      if (generation !== this.#generation) return;
      this.#options.client.drop(client);
      this.#leaders.clear();
      failRequests(wants, thrown);
    }
    if (generation !== this.#generation) return;
    this.#asked.delete(broker);
    this.#wake();
  }

  async #take(
    client: KafkaClient,
    broker: number,
    want: FetchRequest,
    answer: PartitionResponse,
  ): Promise<FetchOutcome> {
    const { topic, partition, from, suspect } = want;
    // Another replica that refuses, or has nothing yet, does not clear the leader's batch of its fault.
    const known = suspect !== null && suspect.retrial.replica !== null ? suspect.fault : null;
    if (known && answer.errorCode !== ERROR.none) return this.#suspect(client, broker, want, known);
    switch (answer.errorCode) {
      case ERROR.none: {
        const { batches, fault } = scanBatches(answer.bytes, from, answer.end);
        if (batches.length > 0) {
          const items = committedRecords(batches, { topic, partition, from, aborted: answer.aborted });
          want.give({ kind: 'records', records: new FetchBuffer(from, items, answer.readable) });
          return 'settled';
        }
        const found = fault ?? known;
        return found ? this.#suspect(client, broker, want, found) : 'settled';
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
        return this.#suspect(client, broker, want, REFUSED);
      default:
        // The leader has moved, or the partition is gone: both show in what the brokers say of the topic now.
        this.#leaders.delete(topic);
        return 'moved';
    }
  }

  /** Has it asked for again; where that was in vain, gives what it comes to. */
  async #suspect(
    client: KafkaClient,
    broker: number,
    want: FetchRequest,
    fault: Fault,
  ): Promise<FetchOutcome> {
    const { topic, partition, from } = want;
    const { clock, logger, requestMs } = this.#options;
    want.suspect = suspectAfter(want.suspect, fault);
    logger?.warn({ topic, partition, position: from, reason: fault.reason }, 'a batch cannot be read');
    if (want.suspect) {
      const { pauseMs, isRenewed } = want.suspect.retrial;
      want.notBefore = clock.monotonic() + pauseMs;
      void clock.sleep(pauseMs, this.#closing.signal).then(() => this.#wake());
      // A leader that has changed since shows there too.
      this.#leaders.delete(topic);
      return isRenewed ? 'renew' : 'settled';
    }
    const to = await positionAfterDamage(client, broker, want, fault, requestMs);
    if (to === null) {
      want.fail(new RetryableError(`${topic}/${partition} cannot be read from ${from} on: ${fault.reason}.`));
    } else {
      const items = [{ range: damagedRange(want, to, fault) }].values();
      want.give({ kind: 'records', records: new FetchBuffer(from, items) });
    }
    return 'settled';
  }
}
