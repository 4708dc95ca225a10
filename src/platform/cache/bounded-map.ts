interface Slot<Value> {
  /** Undefined once it was forgotten: the map's own tables keep removed entries in memory for a while. */
  value: Value | undefined;
  size: number;
  used: boolean;
}

/**
 * A map that forgets rather than grow beyond its bound. What was used since the last round of forgetting is passed
 * over once (second chance), so a hit costs one assignment.
 */
export function createBoundedMap<Value>(bound: number) {
  const kept = new Map<string, Slot<Value>>();
  let total = 0;
  // Goes round and round. A new walk for each value would pass all places again that are empty by now.
  let hand = kept.entries();

  return {
    get(key: string): Value | undefined {
      const found = kept.get(key);
      if (!found) return undefined;
      found.used = true;
      return found.value;
    },
    /** The same without being a use of it. */
    peek: (key: string): Value | undefined => kept.get(key)?.value,
    /** `size` in whatever unit the bound has; a value larger than the whole bound is not kept. */
    set(key: string, value: Value, size: number): void {
      remove(key);
      if (size > bound) return;
      kept.set(key, { value, size, used: false });
      total += size;
      while (total > bound) forgetBut(key);
    },
    delete: remove,
  };

  function remove(key: string): void {
    const found = kept.get(key);
    if (!found) return;
    kept.delete(key);
    total -= found.size;
    found.value = undefined;
  }

  function forgetBut(added: string): void {
    // What is passed over is not passed over again, so the second round ends at the latest.
    for (;;) {
      const { done, value } = hand.next();
      // What was just added is the last one: a hand that stayed there would take every new one, and keep all that are old.
      if (done === true || value[0] === added) {
        hand = kept.entries();
        continue;
      }
      const [key, entry] = value;
      if (!entry.used) {
        remove(key);
        return;
      }
      entry.used = false;
    }
  }
}

/** What an entry takes beside its value where a bound is in bytes: its key, its place, what is noted of it. */
export function entryBytes(key: string): number {
  return 160 + 2 * key.length;
}

/** Roughly how many bytes a JSON value takes in memory: good enough to bound a cache by. */
export function roughSize(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return 24 + value.length * 2;
    case 'object': {
      if (value === null) return 8;
      const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
      return members.reduce<number>((sum, member) => sum + 16 + roughSize(member), 32);
    }
    default:
      return 8;
  }
}
