import { messageOf } from '../../../platform/errors.ts';
import type { PartitionEnds, Position, SubscriptionHandlers } from '../port.ts';
import { KafkaAssignment } from './assignment.ts';
import { PartitionStream } from './partition-stream.ts';
import type { Fetcher } from './fetcher.ts';
import { GroupMembership, type MemberParts } from './member.ts';

export interface SubscriptionParts extends Omit<MemberParts, 'given' | 'held'> {
  readonly handlers: SubscriptionHandlers;
  readonly fetcher: Fetcher;
  /** Reads the ends of a topic in another way than the fetcher: with a client of its own. */
  readonly ends: (topic: string) => Promise<readonly PartitionEnds[]>;
  /** How long what is in the log may not be brought by a fetch that waits for it, in milliseconds. */
  readonly stallMs: number;
}

/** How often the supervisor looks in the time after which reading counts as stalled. */
const LOOKS = 2;

/**
 * A member of a group, what it holds, and the supervisor of both, which does not ask a client how it is:
 * where the log moves on and reading does not, or a group has not answered for two sessions, the client is thrown
 * away and another one made.
 */
export class KafkaSubscription implements AsyncDisposable {
  readonly #parts: SubscriptionParts;
  readonly #held = new Map<string, KafkaAssignment>();
  readonly #member: GroupMembership;
  readonly #over = new AbortController();
  /** Positions that were waited for though there was something: since when, by `TOPIC/PARTITION`. */
  #suspects: ReadonlyMap<string, { readonly from: Position; readonly since: number }> = new Map();
  #left: Promise<void> | undefined;

  constructor(parts: SubscriptionParts) {
    this.#parts = parts;
    this.#member = new GroupMembership({
      ...parts,
      given: (share) => this.#take(share),
      held: () => [...new Set([...this.#held.values()].map(({ partition }) => partition))],
    });
    void this.#supervise();
  }

  /** Resolves once it has joined. */
  start(): Promise<void> {
    return this.#member.join();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#left ??= this.#leave();
    return this.#left;
  }

  async #leave(): Promise<void> {
    this.#over.abort();
    this.#take(new Set());
    await this.#member.leave();
    this.#parts.fetcher[Symbol.dispose]();
  }

  /** Takes what it is given: tells of what is lost first, then of what is new; the rest stays as it is. */
  #take(share: ReadonlySet<string>): void {
    const { handlers } = this.#parts;
    for (const [name, assignment] of this.#held) {
      if (share.has(name)) continue;
      this.#held.delete(name);
      assignment.take();
      handlers.revoked(assignment);
    }
    for (const name of share) {
      if (this.#held.has(name) || this.#left) continue;
      const assignment = this.#assignment(name);
      this.#held.set(name, assignment);
      handlers.assigned(assignment);
    }
  }

  #assignment(name: string): KafkaAssignment {
    const { clock, fetcher } = this.#parts;
    const end = name.lastIndexOf('/');
    const topic = name.slice(0, end);
    const partition = Number(name.slice(end + 1));
    return new KafkaAssignment({
      topic,
      partition,
      clock,
      stream: new PartitionStream((from, signal) => fetcher.fetch(topic, partition, from, signal)),
      confirmed: (signal) => this.#member.confirmed(signal),
    });
  }

  async #supervise(): Promise<void> {
    const { clock, stallMs } = this.#parts;
    const { signal } = this.#over;
    for (;;) {
      await clock.sleep(stallMs / LOOKS, signal);
      if (signal.aborted) return;
      await this.#look();
    }
  }

  async #look(): Promise<void> {
    const { clock, fetcher, groupClient, group, sessionMs, logger } = this.#parts;
    if (clock.monotonic() - this.#member.lastContact > 2 * sessionMs + this.#parts.requestMs) {
      logger?.warn({ group }, 'the group does not answer: its client is replaced');
      groupClient.dropConnected();
    }
    try {
      const stalled = await this.#stalled();
      if (stalled.length > 0) {
        logger?.warn({ group, stalled }, 'the log moves on and reading does not: its client is replaced');
        this.#suspects = new Map();
        fetcher.renew();
      }
    } catch (thrown) {
      // A log that cannot be asked is in trouble elsewhere: this says nothing of the fetcher.
      logger?.debug({ group, reason: messageOf(thrown) }, 'the supervisor could not look');
    }
  }

  /** What has been waited for too long, though it is there: seen at several looks, for records may just have come. */
  async #stalled(): Promise<readonly string[]> {
    const { clock, stallMs, ends } = this.#parts;
    const waiting = [...this.#held].flatMap(([name, { topic, partition, waitingFor }]) =>
      waitingFor === null ? [] : [{ name, topic, partition, from: waitingFor }],
    );
    const suspects = new Map<string, { readonly from: Position; readonly since: number }>();
    const byTopic = [...Map.groupBy(waiting, (one) => one.topic)];
    const found = await Promise.all(
      byTopic.map(async ([topic, asked]) => ({ asked, ends: await ends(topic) })),
    );
    for (const { asked, ends: endsOfTopic } of found) {
      const readable = new Map(endsOfTopic.map((end) => [end.partition, end.readable ?? end.latest]));
      for (const { name, partition, from } of asked) {
        if ((readable.get(partition) ?? 0) <= from || this.#held.get(name)?.waitingFor !== from) continue;
        const before = this.#suspects.get(name);
        suspects.set(name, before?.from === from ? before : { from, since: clock.monotonic() });
      }
    }
    this.#suspects = suspects;
    // A client that has just been connected has its time too.
    const asking = this.#parts.fetcher.askingSince;
    return [...suspects]
      .filter(([, { since }]) => clock.monotonic() - Math.max(since, asking) >= stallMs)
      .map(([name]) => name);
  }
}
