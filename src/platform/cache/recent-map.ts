/**
 * A map that forgets what was used longest ago: at least the `least` entries that were used last are there, at most twice
 * as many. What is used moves from the old generation into the young one; a young one that is full becomes the old one, and
 * what was not used since goes as a whole, but for what has to stay. So a million small entries need no bookkeeping of their
 * own, as those of a `BoundedMap` do. `hasToStay` is asked of what was not used lately.
 */
export function createRecentMap<Value>(least: number, hasToStay: (value: Value) => boolean = () => false) {
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();
  /** So many in the young one begin the next. What has to stay is not carried over with every new entry. */
  let most = least;

  return {
    get(key: string): Value | undefined {
      const known = young.get(key);
      if (known !== undefined) return known;
      const older = old.get(key);
      if (older !== undefined) add(key, older);
      return older;
    },
    set: add,
    delete(key: string): void {
      young.delete(key);
      old.delete(key);
    },
  };

  function add(key: string, value: Value): void {
    if (young.size >= most && !young.has(key)) begin();
    young.set(key, value);
  }

  function begin(): void {
    const staying = [...old].filter(([key, value]) => !young.has(key) && hasToStay(value));
    [old, young] = [young, new Map(staying)];
    most = least + staying.length;
  }
}
