import type { Clock } from '../../../platform/time/clock.ts';
import type { Assignment, Batch, FetchLimits, Position } from '../port.ts';
import type { Elsewhere, PartitionStream } from './partition-stream.ts';
import { splitAt } from './split-batch.ts';

export interface AssignmentParts {
  readonly topic: string;
  readonly partition: number;
  readonly clock: Clock;
  readonly stream: PartitionStream;
  /** Resolves when the group has answered a heartbeat that was sent after the call, or the signal is aborted. */
  readonly confirmed: (signal: AbortSignal) => Promise<void>;
}

/** What is being waited for, or has come and was not asked for yet. */
interface Asked {
  readonly from: Position;
  readonly arrived: Promise<Batch | Elsewhere>;
  readonly abandon: AbortController;
  hasFailed: boolean;
}

/**
 * A partition in the hands of this member. What stands behind the batch that is handed out is asked for at once, so
 * that it is there, or waited for, when the engine comes back. An engine that comes back for another position gets
 * that one: what was asked for is forgotten.
 */
export class KafkaAssignment implements Assignment {
  readonly topic: string;
  readonly partition: number;
  readonly #parts: AssignmentParts;
  readonly #taken = new AbortController();
  /** What came and was not handed out yet. */
  #stock: Batch | null = null;
  #asked: Asked | null = null;

  constructor(parts: AssignmentParts) {
    this.#parts = parts;
    this.topic = parts.topic;
    this.partition = parts.partition;
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
    await this.#parts.confirmed(over);
    return !over.aborted;
  }

  async fetch(from: Position, limits: FetchLimits): Promise<Batch> {
    const nothing = { from, next: from, records: [] };
    if (this.signal.aborted || limits.signal?.aborted) return nothing;
    if (this.#stock?.from !== from) {
      const arrived = await this.#arrival(from, limits);
      if (arrived === null || this.signal.aborted || limits.signal?.aborted) return nothing;
      if ('kind' in arrived) return this.#elsewhere(from, arrived, limits);
      this.#asked = null;
      this.#stock = arrived;
    }
    return this.#handOut(this.#stock, limits.maxRecords);
  }

  /** Says where the log has something, with what stands there. */
  async #elsewhere(from: Position, { earliest, latest }: Elsewhere, limits: FetchLimits): Promise<Batch> {
    this.#forget();
    if (from < earliest && earliest < latest) return this.fetch(earliest, limits);
    return { from: latest, next: latest, records: [] };
  }

  #handOut(stock: Batch, maxRecords: number): Batch {
    const rest = stock.records[maxRecords];
    if (!rest) {
      this.#ask(stock.next);
      return stock;
    }
    const [before, behind] = splitAt(stock, rest.position);
    this.#stock = behind;
    return before;
  }

  /** What came for `from`; null where the time is over, or one of the signals ends the wait. */
  async #arrival(from: Position, { maxWaitMs, signal }: FetchLimits): Promise<Batch | Elsewhere | null> {
    const asked = this.#asked?.from === from && !this.#asked.hasFailed ? this.#asked : this.#ask(from);
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

  #ask(from: Position): Asked {
    this.#abandon();
    const abandon = new AbortController();
    const arrived = this.#parts.stream.next(from, abandon.signal);
    const asked: Asked = { from, arrived, abandon, hasFailed: false };
    // The fetch that waits for it is told; where none does, the next one asks again.
    arrived.catch(() => (asked.hasFailed = true));
    this.#asked = asked;
    return asked;
  }

  #abandon(): void {
    this.#stock = null;
    this.#asked?.abandon.abort();
    this.#asked = null;
  }

  #forget(): void {
    this.#abandon();
    this.#parts.stream.close();
  }
}
