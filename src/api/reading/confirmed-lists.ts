import { createBoundedMap } from '../../platform/cache/bounded-map.ts';

/**
 * Rankings, counts and pages of hits by name, each a confirmed value of its own: anybody with a key can ask for any number of
 * them, so those that nobody asks for are forgotten.
 */
export interface ConfirmedLists {
  /** The list of this name; made where there is none. The name says what it is of, so it also says the type. */
  of<List>(name: string, size: number, make: () => List): List;
}

/** Slugs that all of them hold together, at some 100 bytes each: 20 MB. */
const HELD = 200_000;

export function createConfirmedLists(): ConfirmedLists {
  const lists = createBoundedMap<unknown>(HELD);
  return {
    of<List>(name: string, size: number, make: () => List) {
      const known = lists.get(name) as List | undefined;
      if (known !== undefined) return known;
      const made = make();
      lists.set(name, made, size);
      return made;
    },
  };
}
