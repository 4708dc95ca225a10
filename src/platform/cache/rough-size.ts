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
