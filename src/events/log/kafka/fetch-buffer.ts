import type { Batch, LogRecord, PartitionEnds, Position, UnreadableRange } from '../port.ts';
import type { Item } from './committed-records.ts';

export type FetchResult =
  /** They begin at the position that was asked for. */
  { readonly kind: 'records'; readonly records: FetchBuffer } | OutOfRange;

/** The position is below the earliest or beyond the latest one. */
export interface OutOfRange extends Pick<PartitionEnds, 'earliest' | 'latest'> {
  readonly kind: 'elsewhere';
}

/** A batch ends after so many bytes of records, so that the memory stays bounded. */
const BATCH_BYTES = 4 * 1024 * 1024;
/** What a record costs beside its bytes. */
const RECORD_COST = 256;

/** What a fetch has brought of one partition, handed out batch by batch. */
export class FetchBuffer {
  readonly #items: Iterator<Item, void, undefined>;
  readonly #readable: Position;
  #next: Position;
  #ahead: IteratorResult<Item, void> | null = null;

  /** @param readable where reading ended when it was fetched; below 0 where that is not known. */
  constructor(from: Position, items: Iterator<Item, void, undefined>, readable: Position = -1) {
    this.#next = from;
    this.#items = items;
    this.#readable = readable;
  }

  /** Where the next batch begins. */
  get next(): Position {
    return this.#next;
  }

  /** Whether the last batch was the end of it. */
  get isOver(): boolean {
    return this.#ahead?.done === true;
  }

  take(maxRecords = Infinity): Batch {
    const from = this.#next;
    const records: LogRecord[] = [];
    const unreadable: UnreadableRange[] = [];
    for (let cost = 0; ; this.#ahead = null) {
      this.#ahead ??= this.#items.next();
      if (this.#ahead.done || cost >= BATCH_BYTES) break;
      const item = this.#ahead.value;
      if ('record' in item) {
        if (records.length >= maxRecords) break;
        records.push(item.record);
        cost += RECORD_COST + item.size;
        this.#next = item.record.position + 1;
      } else if ('range' in item) {
        cost += addRange(unreadable, item.range);
        this.#next = item.range.to;
      } else {
        this.#next = item.next;
      }
    }
    return {
      from,
      next: this.#next,
      records,
      ...(unreadable.length > 0 ? { unreadable } : {}),
      ...(this.#readable < 0 ? {} : { more: this.#next < this.#readable }),
    };
  }
}

/** Adds a range, or extends the one before that cannot be read for the same reason: what it costs. */
function addRange(ranges: UnreadableRange[], range: UnreadableRange): number {
  const before = ranges.at(-1);
  if (before?.to === range.from && before.reason === range.reason && range.code === 'unreadable') {
    ranges[ranges.length - 1] = { ...before, to: range.to };
    return 0;
  }
  ranges.push(range);
  return RECORD_COST + (range.bytes?.length ?? 0);
}

/** What of a batch stands below `to`. */
export function recordsBelow(batch: Batch, to: Position): Batch {
  if (batch.next <= to) return batch;
  const { unreadable = [], ...rest } = batch;
  const below = unreadable.filter((range) => range.from < to);
  return {
    ...rest,
    next: to,
    records: batch.records.filter(({ position }) => position < to),
    ...(below.length > 0
      ? { unreadable: below.map((range) => ({ ...range, to: Math.min(range.to, to) })) }
      : {}),
  };
}
