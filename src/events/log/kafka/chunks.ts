import type { NewRecord } from '../port.ts';

/** Records in one chunk of `append`. */
const CHUNK = 1000;
/** A chunk ends before its records pass this many bytes: a broker takes a batch of a mebibyte. */
const CHUNK_BYTES = 900 * 1024;
/** What a record takes beside its key, its value and its headers, at most. */
const RECORD_BYTES = 32;

/** Records in chunks that a broker takes at once. */
export function* chunksOf(records: readonly NewRecord[]): Generator<NewRecord[], void, undefined> {
  let chunk: NewRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    const size = sizeOf(record);
    if (chunk.length === CHUNK || (chunk.length > 0 && bytes + size > CHUNK_BYTES)) {
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
