import type { Clock } from '../../../platform/clock.ts';
import { messageOf } from '../../../platform/errors.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { Assignment, Batch, FetchLimits, Place, Position, SubscriptionHandlers } from '../port.ts';

/*
 * A member of a group of the SQLite log:
 *
 *   standing by --lease taken--> holding all partitions --lease found with another member--> standing by
 *   either --disposed--> gone: everything revoked, the lease released
 *
 * Both states look again every `renewMs`: the one who holds prolongs the lease and gains partitions that are new, the
 * others try to take it.
 */

export interface SubscriptionParts {
  readonly group: string;
  readonly topics: readonly string[];
  readonly handlers: SubscriptionHandlers;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'> | undefined;
  readonly renewMs: number;
  /** Takes or prolongs the lease; false where another member has it. */
  takeLease(): Promise<boolean>;
  releaseLease(): Promise<void>;
  partitionCount(topic: string): Promise<number>;
  /** As `Assignment.fetch`; `taken` is the assignment's own signal. */
  fetch(
    place: Omit<Place, 'position'>,
    from: Position,
    limits: FetchLimits,
    taken: AbortSignal,
  ): Promise<Batch>;
  /** Called every `renewMs` while the lease is held. */
  whileHeld(): Promise<void>;
}

interface Held {
  readonly assignment: Assignment;
  readonly taken: AbortController;
}

export class SqliteSubscription implements AsyncDisposable {
  readonly #parts: SubscriptionParts;
  readonly #leaving = new AbortController();
  readonly #held = new Map<string, Held>();
  #loop: Promise<void> = Promise.resolve();
  #left: Promise<void> | undefined;
  #inTrouble = false;

  constructor(parts: SubscriptionParts) {
    this.#parts = parts;
  }

  /** Resolves once the member has looked at the lease for the first time, and has everything if it was free. */
  async start(): Promise<void> {
    await this.#look();
    this.#loop = this.#keepLooking();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#left ??= this.#leave();
    return this.#left;
  }

  async #leave(): Promise<void> {
    this.#leaving.abort();
    await this.#loop;
    this.#revokeAll();
    try {
      await this.#parts.releaseLease();
    } catch (thrown) {
      this.#parts.logger?.warn(
        { group: this.#parts.group, reason: messageOf(thrown) },
        'the log lease was not released: it runs out',
      );
    }
  }

  async #keepLooking(): Promise<void> {
    const { clock, renewMs, group, logger } = this.#parts;
    for (;;) {
      await clock.sleep(renewMs, this.#leaving.signal);
      if (this.#leaving.signal.aborted) return;
      try {
        await this.#look();
        this.#inTrouble = false;
      } catch (thrown) {
        // Nobody waits for this call. Fetches meet the same trouble and report it; here it is said once.
        if (!this.#inTrouble)
          logger?.warn({ group, reason: messageOf(thrown) }, 'the log lease cannot be looked at');
        this.#inTrouble = true;
      }
    }
  }

  async #look(): Promise<void> {
    const { group, logger } = this.#parts;
    if (!(await this.#takeLease())) return;
    if (this.#held.size === 0) logger?.info({ group }, 'log lease taken');
    await this.#gainAll();
    await this.#parts.whileHeld();
  }

  async #gainAll(): Promise<void> {
    for (const topic of this.#parts.topics) {
      const count = await this.#parts.partitionCount(topic);
      for (let partition = 0; partition < count; partition += 1) this.#gain(topic, partition);
    }
  }

  #gain(topic: string, partition: number): void {
    const name = `${topic}/${partition}`;
    if (this.#held.has(name) || this.#leaving.signal.aborted) return;
    const taken = new AbortController();
    const assignment: Assignment = {
      topic,
      partition,
      signal: taken.signal,
      fetch: (from, limits) => this.#parts.fetch({ topic, partition }, from, limits, taken.signal),
      confirm: async () => {
        if (!taken.signal.aborted && !this.#leaving.signal.aborted) await this.#takeLease();
        return !taken.signal.aborted;
      },
    };
    this.#held.set(name, { assignment, taken });
    this.#parts.handlers.assigned(assignment);
  }

  /** Takes or prolongs the lease; where another member has it, everything is let go. */
  async #takeLease(): Promise<boolean> {
    const { group, logger } = this.#parts;
    const isTaken = await this.#parts.takeLease();
    if (!isTaken && this.#held.size > 0) logger?.info({ group }, 'log lease lost: another process has it');
    if (!isTaken) this.#revokeAll();
    return isTaken;
  }

  #revokeAll(): void {
    for (const [name, { assignment, taken }] of this.#held) {
      this.#held.delete(name);
      taken.abort();
      this.#parts.handlers.revoked(assignment);
    }
  }
}
