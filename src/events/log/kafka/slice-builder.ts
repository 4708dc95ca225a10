import type { Batch, LogRecord, Position, UnreadableRange } from '../port.ts';
import { batchOf } from './split-batch.ts';

/** A slice ends after so many bytes of records. */
const SLICE_BYTES = 4 * 1024 * 1024;
/** What a record costs beside its bytes. */
const RECORD_COST = 256;

/** A slice while it is filled: records, and ranges that cannot be read, from one position on. */
export class SliceBuilder {
  readonly #records: LogRecord[] = [];
  readonly #unreadable: UnreadableRange[] = [];
  readonly #from: Position;
  #next: Position;
  #cost = 0;

  constructor(from: Position) {
    this.#from = from;
    this.#next = from;
  }

  get next(): Position {
    return this.#next;
  }

  get isFull(): boolean {
    return this.#cost >= SLICE_BYTES;
  }

  get hasProgress(): boolean {
    return this.#next > this.#from;
  }

  /** @param readable where reading ended; below 0 where that is not known. */
  batch(readable: Position): Batch {
    const batch = batchOf(this.#from, this.#next, this.#records, this.#unreadable);
    return readable < 0 ? batch : { ...batch, more: this.#next < readable };
  }

  add(record: LogRecord, size: number): void {
    this.#records.push(record);
    this.#cost += size + RECORD_COST;
    this.#next = record.position + 1;
  }

  leaveOut(range: UnreadableRange): void {
    this.goTo(range.to);
    const before = this.#unreadable.at(-1);
    if (before?.to === range.from && before.reason === range.reason && range.code === 'unreadable') {
      this.#unreadable[this.#unreadable.length - 1] = { ...before, to: range.to };
    } else if (range.to > range.from) {
      this.#unreadable.push(range);
      this.#cost += RECORD_COST + (range.bytes?.length ?? 0);
    }
  }

  goTo(position: Position): void {
    this.#next = Math.max(this.#next, position);
  }
}
