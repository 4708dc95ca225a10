import type { Clock } from '../../../platform/clock.ts';
import type { Assignment, Batch, FetchLimits, Position } from '../port.ts';
import type { Fetched } from './fetcher.ts';
import type { Slice } from './slices.ts';
import { PartitionStream } from './stream.ts';

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
interface Stock extends Slice {
  readonly from: Position;
}

type Arrived = Slice | Extract<Fetched, { kind: 'elsewhere' }>;

/** What is being waited for. */
interface Asked {
  readonly from: Position;
  readonly arrived: Promise<Arrived>;
  readonly abandon: AbortController;
  readonly progress: {
    /** `unpacking`: the broker has given it, and it is not records yet. */
    state: 'waiting' | 'unpacking' | 'given' | 'failed';
  };
}

/**
 * A partition in the hands of this member. What stands behind the batch that is handed out is asked for at once, so
 * that it is there, or waited for, when the engine comes back. An engine that comes back for another position gets
 * that one: what was asked for is forgotten.
 */
export class KafkaAssignment implements Assignment {
  readonly #parts: AssignmentParts;
  readonly #taken = new AbortController();
  readonly #stream = new PartitionStream();
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
    return this.#asked?.progress.state === 'waiting' ? this.#asked.from : null;
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
      const arrived = await this.#arrival(from, limits);
      if (arrived === null || this.signal.aborted || limits.signal?.aborted) return nothing;
      if ('kind' in arrived) return this.#elsewhere(from, arrived, limits);
      this.#asked = null;
      this.#stock = { from, ...partsOf(arrived) };
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
    const { from, next, records, unreadable } = this.#stock ?? { ...NOTHING, from: 0 };
    const rest = records[maxRecords];
    if (rest) {
      const at = rest.position;
      this.#stock = {
        from: at,
        next,
        records: records.slice(maxRecords),
        unreadable: unreadable.filter((range) => range.from >= at),
      };
      return batchOf(from, {
        next: at,
        records: records.slice(0, maxRecords),
        unreadable: unreadable.filter((range) => range.from < at),
      });
    }
    this.#stock = null;
    this.#ask(next);
    return batchOf(from, { next, records, unreadable });
  }

  /** What came for `from`; null where the time is over, or somebody has put an end to the wait. */
  async #arrival(from: Position, { maxWaitMs, signal }: FetchLimits): Promise<Arrived | null> {
    const asked =
      this.#asked?.from === from && this.#asked.progress.state !== 'failed' ? this.#asked : this.#ask(from);
    if (asked.progress.state === 'given') return asked.arrived;
    const enough = new AbortController();
    const signals = [enough.signal, this.signal, ...(signal ? [signal] : [])];
    try {
      return await Promise.race([
        asked.arrived,
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
    this.#abandon();
    const abandon = new AbortController();
    const progress: Asked['progress'] = { state: 'unpacking' };
    const arrived = this.#stream.next(from, abandon.signal, async () => {
      progress.state = 'waiting';
      const fetched = await this.#parts.want(from, abandon.signal);
      progress.state = 'unpacking';
      return fetched;
    });
    arrived.then(
      () => (progress.state = 'given'),
      // Whoever fetches is told; where nobody does, the next fetch asks again.
      () => (progress.state = 'failed'),
    );
    const asked: Asked = { from, arrived, abandon, progress };
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
    this.#stream.close();
  }
}

const NOTHING: Slice = { next: 0, records: [], unreadable: [] };

/** A slice may be more than its parts. */
function partsOf({ next, records, unreadable }: Slice): Slice {
  return { next, records, unreadable };
}

function batchOf(from: Position, { next, records, unreadable }: Slice): Batch {
  return { from, next, records, ...(unreadable.length > 0 ? { unreadable } : {}) };
}
