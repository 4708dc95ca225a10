/** Those that weigh the most, however many come by. */
export interface Leading<Item> {
  add(item: Item): void;
  /** The heaviest first; of equal ones, the one with the smaller id. */
  items(): readonly Item[];
}

/** Keeps `most` of them. What weighs nothing is not kept. */
export function createLeading<Item extends { readonly id: string }>(
  most: number,
  weigh: (item: Item) => number,
): Leading<Item> {
  const kept: Item[] = [];
  const before = (a: Item, b: Item): boolean => {
    const [heavier, lighter] = [weigh(a), weigh(b)];
    return heavier === lighter ? a.id < b.id : heavier > lighter;
  };
  return {
    add: (item) => {
      if (weigh(item) === 0) return;
      const last = kept.at(-1);
      if (kept.length >= most && (last === undefined || !before(item, last))) return;
      const place = kept.findIndex((other) => before(item, other));
      kept.splice(place === -1 ? kept.length : place, 0, item);
      if (kept.length > most) kept.pop();
    },
    items: () => kept,
  };
}
