import type { SubscriptionHandlers } from '../port.ts';
import { KafkaPartitionReader } from './partition-reader.ts';
import type { Fetcher } from './fetch-from-leaders.ts';
import { GroupMembership, type MemberParts } from './group-membership.ts';

interface SubscriptionParts extends Omit<MemberParts, 'given'> {
  readonly handlers: SubscriptionHandlers;
  readonly fetcher: Fetcher;
}

/** A member of a group, and what it holds. */
export class KafkaSubscription implements AsyncDisposable {
  readonly #parts: SubscriptionParts;
  readonly #held = new Map<string, KafkaPartitionReader>();
  readonly #member: GroupMembership;
  #left: Promise<void> | undefined;

  constructor(parts: SubscriptionParts) {
    this.#parts = parts;
    this.#member = new GroupMembership({ ...parts, given: (share) => this.#take(share) });
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
      const end = name.lastIndexOf('/');
      const parts = { ...this.#parts, member: this.#member };
      const assignment = new KafkaPartitionReader(name.slice(0, end), Number(name.slice(end + 1)), parts);
      this.#held.set(name, assignment);
      handlers.assigned(assignment);
    }
  }
}
