import type { Clock } from '../../../platform/time/clock.ts';
import { messageOf } from '../../../platform/errors.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { Assignment, Batch, FetchLimits, PartitionId, Position, SubscriptionHandlers } from '../port.ts';

/*
 * A member of a group of the SQLite log:
 *
 *   standing by --lock taken--> holding all partitions
 *   either --disposed--> gone: everything revoked, the lock released
 *
 * The system takes the lock from a process that ends, and nobody else takes it from one that lives. Both states look again
 * every `lookMs`: the one who holds gains partitions that are new, the others try to take the lock.
 */

export interface SubscriptionParts {
  readonly group: string;
  readonly topics: readonly string[];
  readonly handlers: SubscriptionHandlers;
  readonly clock: Clock;
  readonly logger?: Pick<Logger, 'info' | 'warn'>;
  readonly lookMs: number;
  /** Takes the lock of the group; null where another member has it. */
  takeLock(): Promise<Disposable | null>;
  partitionCount(topic: string): Promise<number>;
  /** As `Assignment.fetch`; `taken` is the assignment's own signal. */
  fetch(place: PartitionId, from: Position, limits: FetchLimits, taken: AbortSignal): Promise<Batch>;
  /** Called every `lookMs` while the lock is held. */
  whileHeld(): Promise<void>;
}

export class SqliteSubscription implements AsyncDisposable {
  readonly #parts: SubscriptionParts;
  readonly #leaving = new AbortController();
  readonly #held = new Map<string, Assignment>();
  #lock: Disposable | null = null;
  #loop: Promise<void> = Promise.resolve();
  #left: Promise<void> | undefined;
  #inTrouble = false;

  constructor(parts: SubscriptionParts) {
    this.#parts = parts;
  }

  /** Resolves once the member has looked at the lock for the first time, and has everything if it was free. */
  async start(): Promise<void> {
    const first = this.#look();
    this.#loop = first.then(
      () => this.#keepLooking(),
      () => undefined,
    );
    await first;
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#left ??= this.#leave();
    return this.#left;
  }

  async #leave(): Promise<void> {
    this.#leaving.abort();
    for (const assignment of this.#held.values()) this.#parts.handlers.revoked(assignment);
    this.#held.clear();
    await this.#loop;
    this.#lock?.[Symbol.dispose]();
  }

  async #keepLooking(): Promise<void> {
    const { clock, lookMs, group, logger } = this.#parts;
    for (;;) {
      await clock.sleep(lookMs, this.#leaving.signal);
      if (this.#leaving.signal.aborted) return;
      try {
        await this.#look();
        this.#inTrouble = false;
      } catch (thrown) {
        // Nobody waits for this call. Fetches meet the same trouble and report it; here it is said once.
        if (!this.#inTrouble)
          logger?.warn({ group, reason: messageOf(thrown) }, 'the lock of a group cannot be looked at');
        this.#inTrouble = true;
      }
    }
  }

  async #look(): Promise<void> {
    const { group, topics, logger } = this.#parts;
    if (!this.#lock) {
      this.#lock = await this.#parts.takeLock();
      if (!this.#lock) return;
      logger?.info({ group }, 'the lock of a group was taken');
    }
    for (const topic of topics) {
      const count = await this.#parts.partitionCount(topic);
      for (let partition = 0; partition < count; partition += 1) this.#gain(topic, partition);
    }
    await this.#parts.whileHeld();
  }

  #gain(topic: string, partition: number): void {
    const name = `${topic}/${partition}`;
    const { signal } = this.#leaving;
    if (this.#held.has(name) || signal.aborted) return;
    const assignment: Assignment = {
      topic,
      partition,
      signal,
      fetch: (from, limits) => this.#parts.fetch({ topic, partition }, from, limits, signal),
      confirm: async (waiting) => !signal.aborted && !waiting.aborted,
    };
    this.#held.set(name, assignment);
    this.#parts.handlers.assigned(assignment);
  }
}
