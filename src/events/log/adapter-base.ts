import { PermanentError } from '../../platform/errors.ts';
import type { NewRecord, Position } from './port.ts';

/** What every adapter of the log does alike, in the same words. */

export function recordsAreGone(place: string, from: Position, earliest: Position): PermanentError {
  return new PermanentError(`${place} begins at ${earliest}: the records from ${from} are gone.`);
}

export function logIsClosed(): PermanentError {
  return new PermanentError('The log is closed.');
}

/** Records in one chunk of an append. */
const CHUNK_RECORDS = 1000;
/** What a record takes beside its key, its value and its headers, at most. */
const RECORD_BYTES = 32;

/** Records in chunks that are appended at once: a chunk ends before it passes `maxBytes`, and has one record at least. */
export function* chunksOf(
  records: readonly NewRecord[],
  maxBytes: number,
): Generator<NewRecord[], void, undefined> {
  let chunk: NewRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    const size = sizeOf(record);
    if (chunk.length === CHUNK_RECORDS || (chunk.length > 0 && bytes + size > maxBytes)) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    chunk.push(record);
    bytes += size;
  }
  if (chunk.length > 0) yield chunk;
}

function sizeOf({ key, value, headers }: NewRecord): number {
  const texts = [key ?? '', ...Object.entries(headers).flat()];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 5, RECORD_BYTES + (value?.length ?? 0));
}

interface Subscription extends AsyncDisposable {
  start(): Promise<void>;
}

/** The subscriptions of a log that have not been left. */
export class Subscriptions implements AsyncDisposable {
  readonly #open = new Set<Subscription>();

  /** Starts it, or leaves it where that fails. */
  async start(subscription: Subscription): Promise<AsyncDisposable> {
    const leave = async (): Promise<void> => {
      this.#open.delete(subscription);
      await subscription[Symbol.asyncDispose]();
    };
    this.#open.add(subscription);
    try {
      await subscription.start();
    } catch (thrown) {
      await leave();
      throw thrown;
    }
    return { [Symbol.asyncDispose]: leave };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#open].map((subscription) => subscription[Symbol.asyncDispose]()));
  }
}
