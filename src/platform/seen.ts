/** Keys that came lately, by digests of 32 bits in a table: a few are taken for others, or forgotten early. */
export interface Seen {
  add(key: string): void;
  has(key: string): boolean;
}

/** About as many as are kept of most things. */
const PLACES = 8192;

export function createSeen(): Seen {
  const table = new Uint32Array(PLACES);
  return {
    add(key) {
      const digest = digestOf(key);
      table[digest % PLACES] = digest;
    },
    has(key) {
      const digest = digestOf(key);
      return table[digest % PLACES] === digest;
    },
  };
}

/** FNV-1a. Whoever makes two keys alike gains a place in a cache for one of them. */
function digestOf(key: string): number {
  let digest = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) {
    digest = Math.imul(digest ^ key.charCodeAt(index), 0x01000193);
  }
  return digest >>> 0;
}
