import type { Clock } from '../../../platform/time/clock.ts';
import type { Assignment, Batch, FetchLimits, Position } from '../port.ts';
import type { FetchBuffer, FetchResult, OutOfRange } from './fetch-buffer.ts';
import type { Fetcher } from './fetch-from-leaders.ts';
import type { GroupMembership } from './group-membership.ts';

interface AssignmentParts {
  readonly clock: Clock;
  readonly fetcher: Fetcher;
  readonly member: GroupMembership;
}

/** What is being waited for, or has come and was not asked for yet. */
interface PendingFetch {
  readonly from: Position;
  readonly arrived: Promise<FetchResult>;
  readonly abandon: AbortController;
}

/**
 * A partition in the hands of this member. What stands behind the batch that is handed out is asked for at once, so
 * that it is there, or waited for, when the engine comes back. An engine that comes back for another position gets
 * that one: what was asked for is forgotten.
 */
export class KafkaPartitionReader implements Assignment {
  readonly topic: string;
  readonly partition: number;
  readonly #parts: AssignmentParts;
  readonly #taken = new AbortController();
  /** What came and was not handed out yet. */
  #stock: FetchBuffer | null = null;
  #asked: PendingFetch | null = null;

  constructor(topic: string, partition: number, parts: AssignmentParts) {
    this.topic = topic;
    this.partition = partition;
    this.#parts = parts;
  }

  get signal(): AbortSignal {
    return this.#taken.signal;
  }

  take(): void {
    this.#taken.abort();
    this.#forget();
  }

  async confirm(waiting: AbortSignal): Promise<boolean> {
    const over = AbortSignal.any([this.signal, waiting]);
    await this.#parts.member.confirmed(over);
    return !over.aborted;
  }

  async fetch(from: Position, limits: FetchLimits): Promise<Batch> {
    const nothing = { from, next: from, records: [] };
    if (this.signal.aborted || limits.signal?.aborted) return nothing;
    if (this.#stock?.next !== from) {
      const arrived = await this.#arrival(from, limits);
      if (arrived === null || this.signal.aborted || limits.signal?.aborted) return nothing;
      if (arrived.kind === 'elsewhere') return this.#elsewhere(from, arrived, limits);
      this.#asked = null;
      this.#stock = arrived.records;
    }
    const stock = this.#stock;
    const batch = stock.take(limits.maxRecords);
    if (stock.isOver) this.#ask(batch.next);
    return batch;
  }

  /** Says where the log has something, with what stands there. */
  async #elsewhere(from: Position, { earliest, latest }: OutOfRange, limits: FetchLimits): Promise<Batch> {
    this.#forget();
    if (from < earliest && earliest < latest) return this.fetch(earliest, limits);
    return { from: latest, next: latest, records: [] };
  }

  /** What came for `from`; null where the time is over, or one of the signals ends the wait. */
  async #arrival(from: Position, { maxWaitMs, signal }: FetchLimits): Promise<FetchResult | null> {
    const asked = this.#asked?.from === from ? this.#asked : this.#ask(from);
    const enough = new AbortController();
    const over = AbortSignal.any([enough.signal, this.signal, ...(signal ? [signal] : [])]);
    try {
      return await Promise.race([asked.arrived, this.#parts.clock.sleep(maxWaitMs, over).then(() => null)]);
    } catch (thrown) {
      if (this.signal.aborted || signal?.aborted) return null;
      throw thrown;
    } finally {
      enough.abort();
    }
  }

  #ask(from: Position): PendingFetch {
    this.#forget();
    const abandon = new AbortController();
    const { topic, partition } = this;
    const arrived = this.#parts.fetcher.fetch({ topic, partition, from }, abandon.signal);
    const asked: PendingFetch = { from, arrived, abandon };
    this.#asked = asked;
    // The fetch that waits for it is told; where none does, the next one asks again.
    arrived.catch(() => {
      if (this.#asked === asked) this.#asked = null;
    });
    return asked;
  }

  #forget(): void {
    this.#stock = null;
    this.#asked?.abandon.abort();
    this.#asked = null;
  }
}
