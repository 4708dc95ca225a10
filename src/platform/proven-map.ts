import { type BoundedMap, createBoundedMap } from './bounded-map.ts';
import { createSeen } from './seen.ts';

/**
 * A map that is bounded in bytes, roughly, for values that are mostly asked for once, such as what a scan walks over: these neither push out what is
 * asked for often, nor live so long that it costs garbage collection. A value is
 * - on probation at first, among few others; those that came first leave first;
 * - proven when it leaves after it was asked for again, or when it comes again soon after it left unused: it then stands among
 *   the others that are proven, which forget as a bounded map does;
 * - forgotten otherwise, but for a small digest of its key.
 * This is S3-FIFO (Yang and others, SOSP 2023).
 */
export function createProvenMap<Value>(bound: number): BoundedMap<Value> {
  const onProbation = Math.min(bound * PROBATION, PROBATION_BYTES);
  const proven = createBoundedMap<Value>(bound - onProbation);
  const left = createSeen();
  const probation = createProbation<Value>(onProbation, (key, value, { size, used }) => {
    if (used) proven.set(key, value, size);
    else left.add(key);
  });

  return {
    get: (key) => probation.get(key) ?? proven.get(key),
    peek: (key) => probation.peek(key) ?? proven.peek(key),
    set(key, value, size) {
      const isProven = proven.peek(key) !== undefined || left.has(key) || !probation.hasRoomFor(size);
      if (isProven) {
        probation.delete(key);
        proven.set(key, value, size);
      } else probation.set(key, value, size);
    },
    grow(key, value, by) {
      proven.grow(key, value, by);
      probation.grow(key, value, by);
    },
    delete(key) {
      proven.delete(key);
      probation.delete(key);
    },
  };
}

/** Of the bound, or so many bytes, whatever is less: so little that most of it is gone before the next collection of what is young. */
const PROBATION = 1 / 32;
const PROBATION_BYTES = 2 ** 18;

interface Kept<Value> {
  /** Undefined once it has left: the map's own tables keep removed entries in memory for a while. */
  value: Value | undefined;
  size: number;
  used: boolean;
}

interface Probation<Value> extends BoundedMap<Value> {
  /** False for a value that is too large to be on probation. */
  hasRoomFor(size: number): boolean;
}

function createProbation<Value>(
  bound: number,
  onLeft: (key: string, value: Value, kept: Pick<Kept<Value>, 'size' | 'used'>) => void,
): Probation<Value> {
  const kept = new Map<string, Kept<Value>>();
  let total = 0;
  // Walks from the oldest on. A new walk for each would pass all places again that are empty by now.
  let oldest = kept.entries();

  return {
    get(key) {
      const found = kept.get(key);
      if (!found) return undefined;
      found.used = true;
      return found.value;
    },
    peek: (key) => kept.get(key)?.value,
    set(key, value, size) {
      // What takes the place of another one was asked for again.
      const used = kept.has(key);
      remove(key);
      kept.set(key, { value, size, used });
      total += size;
      makeRoom();
    },
    grow(key, value, by) {
      const found = kept.get(key);
      if (found?.value !== value) return;
      found.size += by;
      total += by;
      makeRoom();
    },
    delete: remove,
    hasRoomFor: (size) => size <= bound,
  };

  function remove(key: string): void {
    const found = kept.get(key);
    if (!found) return;
    kept.delete(key);
    total -= found.size;
    found.value = undefined;
  }

  function makeRoom(): void {
    while (total > bound) {
      const next = oldest.next();
      if (next.done === true) {
        oldest = kept.entries();
        continue;
      }
      const [key, entry] = next.value;
      const { value } = entry;
      remove(key);
      if (value !== undefined) onLeft(key, value, entry);
    }
  }
}
