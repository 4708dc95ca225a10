import type { LogRecord } from '../../events/log/port.ts';
import type { Gatherable } from '../../projecting/engine/gathering.ts';

/**
 * A batch of one partition on its way to another thread. Copying thousands of small objects takes longer than decoding
 * them, so that each field stands in one list, and all values in one piece of memory.
 */
export interface Packed extends Required<Pick<Gatherable, 'unreadable' | 'next'>> {
  readonly topic: string;
  readonly partition: number;
  readonly positions: Float64Array;
  readonly timestamps: Float64Array;
  readonly keys: readonly (string | null)[];
  /** Records that share an object share it still when they are unpacked. */
  readonly headers: readonly LogRecord['headers'][];
  /** Of each value, in bytes; `NO_VALUE` where there is none. */
  readonly lengths: Int32Array;
  readonly values: Uint8Array;
}

const NO_VALUE = -1;

export function pack({ records, unreadable = [], next }: Gatherable): Packed {
  const [first] = records;
  const lengths = Int32Array.from(records, ({ value }) => value?.length ?? NO_VALUE);
  const values = new Uint8Array(records.reduce((sum, { value }) => sum + (value?.length ?? 0), 0));
  let start = 0;
  for (const { value } of records) {
    if (value === null) continue;
    values.set(value, start);
    start += value.length;
  }
  return {
    topic: first?.topic ?? '',
    partition: first?.partition ?? 0,
    positions: Float64Array.from(records, ({ position }) => position),
    timestamps: Float64Array.from(records, ({ timestamp }) => timestamp),
    keys: records.map(({ key }) => key),
    headers: records.map(({ headers }) => headers),
    lengths,
    values,
    unreadable,
    next,
  };
}

/** The values are views of one piece of memory. */
export function unpack(packed: Packed): Required<Gatherable> {
  const { topic, partition, positions, timestamps, keys, headers, lengths, values } = packed;
  let start = 0;
  const records = keys.map((key, index): LogRecord => {
    const length = lengths[index] ?? NO_VALUE;
    const value = length === NO_VALUE ? null : values.subarray(start, start + length);
    start += Math.max(0, length);
    const position = positions[index] ?? 0;
    const timestamp = timestamps[index] ?? 0;
    return { topic, partition, position, key, value, headers: headers[index] ?? {}, timestamp };
  });
  return { records, unreadable: packed.unreadable, next: packed.next };
}
