import type { Clock } from '../../../platform/time/clock.ts';
import { messageOf, PermanentError } from '../../../platform/errors.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { KafkaClient } from './cluster-client.ts';
import { namesOf } from './errors.ts';
import { answerWithin, type ReconnectingClient } from './reconnecting-client.ts';
import {
  decodeMember,
  decodeShare,
  encodeMember,
  encodeShare,
  PROTOCOL,
  assignPartitions,
} from './partition-assignor.ts';
import type { FullBroker, JoinedGroup } from './kafkajs-internals.ts';

/*
 * A member of a Kafka group, by the "classic" rebalance protocol (not that of KIP-848): JoinGroup up to version 5,
 * SyncGroup, Heartbeat and LeaveGroup up to 3. Heartbeats have a clock of their own (KIP-62), the
 * group names its members (KIP-394), and what is held is kept while the group rebalances (as in KIP-429), or says nothing:
 * where others have it by then, the guards of the documents make two readers harmless.
 *
 *   outside --join, sync--> inside --the group rebalances, or the topics have changed--> joining again, keeping what it has
 *   inside --the group no longer knows it--> outside, with nothing
 *   any --leave--> gone
 */

export interface MemberParts {
  readonly group: string;
  readonly topics: readonly string[];
  /** Reaches the group, and is used for nothing else: a join holds up whatever else is asked. */
  readonly groupClient: ReconnectingClient;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn' | 'debug'> | undefined;
  /** How long the group keeps a member that has fallen silent, in milliseconds. */
  readonly sessionMs: number;
  readonly heartbeatMs: number;
  /** How often the leader looks for topics and partitions that are new, in milliseconds. */
  readonly lookMs: number;
  readonly requestMs: number;
  /** Called with everything that is this member's from now on, as `TOPIC/PARTITION`. */
  readonly given: (share: ReadonlySet<string>) => void;
}

/** How long each step of leaving may take. */
const LEAVE_MS = 3000;
/** The pause where a person has to change something first: rights, most of all. */
const PERMANENT_MS = 10_000;

/** The group wants its members to join again. */
const REJOIN = ['REBALANCE_IN_PROGRESS', 'ILLEGAL_GENERATION', 'UNKNOWN_MEMBER_ID'];
/** The broker that keeps the group is on its way: after a start, or after another one has died. */
const SETTLING = ['GROUP_LOAD_IN_PROGRESS', 'GROUP_COORDINATOR_NOT_AVAILABLE', 'NOT_COORDINATOR_FOR_GROUP'];

export class GroupMembership {
  readonly #parts: MemberParts;
  readonly #leaving = new AbortController();
  #living: Promise<void> = Promise.resolve();
  #memberId = '';
  #generation = -1;
  #inTrouble = false;
  /** What the leader has shared out: by topic, how many partitions. null where another member leads. */
  #shared: ReadonlyMap<string, number> | null = null;
  /** How many partitions each topic had when it was last there. */
  readonly #counts = new Map<string, number>();
  /** Called by the answer to a heartbeat that is still to be sent. */
  #unconfirmed: (() => void)[] = [];

  constructor(parts: MemberParts) {
    this.#parts = parts;
  }

  /** Resolves once it has joined; throws where it cannot, and tries no further then. */
  async join(): Promise<void> {
    const { clock, requestMs, heartbeatMs } = this.#parts;
    for (const until = clock.monotonic() + requestMs; ;) {
      try {
        await this.#join();
        break;
      } catch (thrown) {
        const isPassing = isNamed(thrown, [...REJOIN, ...SETTLING]);
        if (!isPassing || clock.monotonic() >= until || this.#leaving.signal.aborted) throw thrown;
        this.#memberId = '';
        await clock.sleep(heartbeatMs, this.#leaving.signal);
      }
    }
    this.#living = this.#live();
  }

  /**
   * Resolves when the group has answered a heartbeat of this member that was sent after the call, or `signal` is
   * aborted: within a heartbeat's interval and its answer, or as soon as a group that is silent answers again.
   */
  async confirmed(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = (): void => resolve();
    this.#unconfirmed.push(stop);
    signal.addEventListener('abort', stop);
    await promise;
    signal.removeEventListener('abort', stop);
  }

  /** Gives everything back and leaves the group; others have it within a moment. */
  async leave(): Promise<void> {
    this.#leaving.abort();
    const { group, groupClient, requestMs } = this.#parts;
    // A join that is under way is answered when the others have joined: leaving does not wait for that.
    const hasEnded = await this.#orGiveUp(() => this.#living);
    // A broker answers nothing else on a connection whose join it has not answered.
    if (!hasEnded) groupClient.dropConnected();
    this.#parts.given(new Set());
    const memberId = this.#memberId;
    const say = (): Promise<unknown> =>
      this.#ask('leaving the group', requestMs, (it) => it.leaveGroup({ groupId: group, memberId }));
    if (memberId !== '') await this.#orGiveUp(say);
    groupClient[Symbol.dispose]();
  }

  /** Waits for the work, but not for long, and not for its success: what is not given back falls back by itself. */
  async #orGiveUp(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await answerWithin(LEAVE_MS, 'leaving the group', work);
      return true;
    } catch (thrown) {
      this.#parts.logger?.debug({ reason: messageOf(thrown) }, 'the group was left without a word');
      return false;
    }
  }

  async #live(): Promise<void> {
    let isInside = true;
    while (!this.#leaving.signal.aborted) {
      try {
        if (!isInside) await this.#join();
        this.#inTrouble = false;
        await this.#stay();
      } catch (thrown) {
        if (!this.#leaving.signal.aborted) await this.#recover(thrown);
      }
      isInside = false;
    }
  }

  async #join(): Promise<void> {
    const { group, topics, sessionMs, requestMs } = this.#parts;
    // Waiting for the others is not silence: the group gives a member as long as it gives them.
    await this.#ask('joining the group', 2 * sessionMs + requestMs, async (coordinator) => {
      const joined = await coordinator.joinGroup({
        groupId: group,
        sessionTimeout: sessionMs,
        rebalanceTimeout: sessionMs,
        memberId: this.#memberId,
        groupProtocols: [{ name: PROTOCOL, metadata: encodeMember(topics) }],
      });
      const { memberId, generationId } = joined;
      this.#memberId = memberId;
      this.#generation = generationId;
      this.#shared = null;
      const groupAssignment = joined.leaderId === memberId ? await this.#share(joined) : [];
      const synced = await coordinator.syncGroup({ groupId: group, generationId, memberId, groupAssignment });
      if (!this.#leaving.signal.aborted) this.#parts.given(decodeShare(synced.memberAssignment));
    });
  }

  async #share({ members }: JoinedGroup): Promise<{ memberId: string; memberAssignment: Buffer }[]> {
    const known = members.map(({ memberId, memberMetadata }) => decodeMember(memberId, memberMetadata));
    const topics = new Set(known.flatMap((member) => member.topics));
    const found = await countPartitions(await this.#parts.groupClient.connected(), topics);
    this.#shared = new Map([...found].map(([topic, count]) => [topic, this.#lastCount(topic, count)]));
    const shares = assignPartitions(known, this.#shared);
    return [...shares].map(([memberId, share]) => ({ memberId, memberAssignment: encodeShare(share) }));
  }

  /** A broker that has just started knows of no topic yet: nobody is to let go of its partitions for that. */
  #lastCount(topic: string, count: number): number {
    if (count > 0) this.#counts.set(topic, count);
    return this.#counts.get(topic) ?? 0;
  }

  /** Stays inside until there is a reason to join again. */
  async #stay(): Promise<void> {
    const { group, clock, heartbeatMs, lookMs, requestMs } = this.#parts;
    let nextLook = clock.monotonic() + lookMs;
    for (;;) {
      await clock.sleep(heartbeatMs, this.#leaving.signal);
      if (this.#leaving.signal.aborted) return;
      await this.#ask('telling the group that we are there', requestMs, async (coordinator) => {
        const memberId = this.#memberId;
        const asked = this.#unconfirmed.length;
        await coordinator.heartbeat({ groupId: group, groupGenerationId: this.#generation, memberId });
        for (const resolve of this.#unconfirmed.splice(0, asked)) resolve();
      });
      if (this.#shared === null || clock.monotonic() < nextLook) continue;
      nextLook = clock.monotonic() + lookMs;
      if (await this.#hasChanged(this.#shared)) return;
    }
  }

  async #hasChanged(shared: ReadonlyMap<string, number>): Promise<boolean> {
    const { groupClient, requestMs } = this.#parts;
    const counts = await groupClient.use('looking for new partitions', requestMs, (client) =>
      countPartitions(client, shared.keys()),
    );
    // A topic never has fewer than before.
    return [...counts].some(([topic, count]) => count > (shared.get(topic) ?? 0));
  }

  async #recover(thrown: unknown): Promise<void> {
    const { group, logger, clock, heartbeatMs } = this.#parts;
    if (isNamed(thrown, REJOIN)) {
      if (!isNamed(thrown, ['UNKNOWN_MEMBER_ID'])) return;
      logger?.warn({ group }, 'the group has gone on without this member: everything is let go');
      this.#memberId = '';
      this.#parts.given(new Set());
      return;
    }
    // Once for each trouble; the fetches meet the same one and report it each time.
    if (!this.#inTrouble) logger?.warn({ group, reason: messageOf(thrown) }, 'the group cannot be reached');
    this.#inTrouble = true;
    await clock.sleep(thrown instanceof PermanentError ? PERMANENT_MS : heartbeatMs, this.#leaving.signal);
  }

  #ask<T>(what: string, limitMs: number, work: (coordinator: FullBroker) => Promise<T>): Promise<T> {
    const { groupClient, group } = this.#parts;
    return groupClient.use(what, limitMs, async (client) => work(await client.coordinator(group)));
  }
}

function isNamed(thrown: unknown, names: readonly string[]): boolean {
  return namesOf(thrown).some((name) => names.includes(name));
}

/** How many partitions each topic has; 0 where there is no such topic. */
async function countPartitions(
  client: KafkaClient,
  topics: Iterable<string>,
): Promise<ReadonlyMap<string, number>> {
  const counts = [...topics].map(async (topic) => [topic, (await client.partitions(topic)).length] as const);
  return new Map(await Promise.all(counts));
}
