interface Slot<Value> {
  readonly key: string;
  value: Value;
  size: number;
  used: boolean;
  /** Its place in the ring. */
  at: number;
}

/**
 * A map that forgets rather than grow beyond its bound. What was used since the last round of forgetting is passed
 * over once (second chance), so a hit costs one assignment.
 */
export function createBoundedMap<Value>(bound: number) {
  const kept = new Map<string, Slot<Value>>();
  // The hand goes round in a list of our own: an iterator that stands still keeps every table that the map has had since.
  const ring: Slot<Value>[] = [];
  let hand = 0;
  let total = 0;

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
      if (size > bound) return remove(key);
      const slot = kept.get(key) ?? add({ key, value, size: 0, used: false, at: ring.length });
      total += size - slot.size;
      slot.value = value;
      slot.size = size;
      while (total > bound) forgetBut(slot);
    },
    delete: remove,
  };

  function add(slot: Slot<Value>): Slot<Value> {
    kept.set(slot.key, slot);
    ring.push(slot);
    return slot;
  }

  function remove(key: string): void {
    const found = kept.get(key);
    if (!found) return;
    kept.delete(key);
    total -= found.size;
    const last = ring.pop();
    if (!last || last === found) return;
    ring[found.at] = last;
    last.at = found.at;
  }

  /** What is passed over is not passed over again, so the second round ends at the latest. */
  function forgetBut(added: Slot<Value>): void {
    for (;;) {
      const slot = ring[hand];
      hand = slot ? hand + 1 : 0;
      if (!slot || slot === added) continue;
      if (!slot.used) return remove(slot.key);
      slot.used = false;
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
