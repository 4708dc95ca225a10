import type { Clock } from '../../../platform/clock.ts';
import type { Assignment, Batch, FetchLimits, LogRecord, Position } from '../port.ts';
import type { Fetched } from './fetcher.ts';

export interface AssignmentParts {
  readonly topic: string;
  readonly partition: number;
  readonly clock: Clock;
  /** Resolves as soon as there is something at `from`. */
  readonly want: (from: Position, signal: AbortSignal) => Promise<Fetched>;
  readonly report: (position: Position) => void;
  /** Resolves when the group has answered a heartbeat that was sent after the call, or the signal is aborted. */
  readonly confirmed: (signal: AbortSignal) => Promise<void>;
}

/** Records that came and were not handed out yet: they stand from `from` up to `next`. */
interface Stock {
  readonly from: Position;
  readonly next: Position;
  readonly records: readonly LogRecord[];
}

/** What is being waited for. */
interface Asked {
  readonly from: Position;
  readonly fetched: Promise<Fetched>;
  readonly abandon: AbortController;
  state: 'waiting' | 'given' | 'failed';
}

/**
 * A partition in the hands of this member. What stands behind the batch that is handed out is asked for at once, so
 * that it is there, or waited for, when the engine comes back. An engine that comes back for another position gets
 * that one: what was asked for is forgotten.
 */
export class KafkaAssignment implements Assignment {
  readonly #parts: AssignmentParts;
  readonly #taken = new AbortController();
  #stock: Stock | null = null;
  #asked: Asked | null = null;

  constructor(parts: AssignmentParts) {
    this.#parts = parts;
  }

  get topic(): string {
    return this.#parts.topic;
  }

  get partition(): number {
    return this.#parts.partition;
  }

  get signal(): AbortSignal {
    return this.#taken.signal;
  }

  /** The position that is waited for; null where nothing is. */
  get waitingFor(): Position | null {
    return this.#asked?.state === 'waiting' ? this.#asked.from : null;
  }

  take(): void {
    this.#taken.abort();
    this.#forget();
  }

  report(position: Position): void {
    if (!this.signal.aborted) this.#parts.report(position);
  }

  async confirm(): Promise<boolean> {
    if (!this.signal.aborted) await this.#parts.confirmed(this.signal);
    return !this.signal.aborted;
  }

  async fetch(from: Position, limits: FetchLimits): Promise<Batch> {
    const nothing = { from, next: from, records: [] };
    if (this.signal.aborted || limits.signal?.aborted) return nothing;
    if (this.#stock?.from !== from) {
      const fetched = await this.#arrival(from, limits);
      if (fetched === null || this.signal.aborted || limits.signal?.aborted) return nothing;
      if (fetched.kind === 'elsewhere') return this.#elsewhere(from, fetched, limits);
      this.#asked = null;
      this.#stock = fetched;
    }
    return this.#handOut(limits.maxRecords);
  }

  /** Says where the log has something, with what stands there. */
  async #elsewhere(
    from: Position,
    { earliest, latest }: Extract<Fetched, { kind: 'elsewhere' }>,
    limits: FetchLimits,
  ): Promise<Batch> {
    this.#forget();
    if (from < earliest && earliest < latest) return this.fetch(earliest, limits);
    return { from: latest, next: latest, records: [] };
  }

  #handOut(maxRecords: number): Batch {
    const { from, next, records } = this.#stock ?? { from: 0, next: 0, records: [] };
    const rest = records[maxRecords];
    if (rest) {
      this.#stock = { from: rest.position, next, records: records.slice(maxRecords) };
      return { from, next: rest.position, records: records.slice(0, maxRecords) };
    }
    this.#stock = null;
    this.#ask(next);
    return { from, next, records };
  }

  /** What came for `from`; null where the time is over, or somebody has put an end to the wait. */
  async #arrival(from: Position, { maxWaitMs, signal }: FetchLimits): Promise<Fetched | null> {
    const asked =
      this.#asked?.from === from && this.#asked.state !== 'failed' ? this.#asked : this.#ask(from);
    if (asked.state === 'given') return asked.fetched;
    const enough = new AbortController();
    const signals = [enough.signal, this.signal, ...(signal ? [signal] : [])];
    try {
      return await Promise.race([
        asked.fetched,
        this.#parts.clock.sleep(maxWaitMs, AbortSignal.any(signals)).then(() => null),
      ]);
    } catch (thrown) {
      if (this.signal.aborted || signal?.aborted) return null;
      throw thrown;
    } finally {
      enough.abort();
    }
  }

  #ask(from: Position): Asked {
    this.#forget();
    const abandon = new AbortController();
    const fetched = this.#parts.want(from, abandon.signal);
    const asked: Asked = { from, fetched, abandon, state: 'waiting' };
    fetched.then(
      () => (asked.state = 'given'),
      // Whoever fetches is told; where nobody does, the next fetch asks again.
      () => (asked.state = 'failed'),
    );
    this.#asked = asked;
    return asked;
  }

  #forget(): void {
    this.#stock = null;
    this.#asked?.abandon.abort();
    this.#asked = null;
  }
}
