const UID_PREFIX = 'catalog-';

/**
 * What an index is called in Meilisearch, where a uid is made of letters, digits, `-` and `_`: `listings@3` is
 * `catalog-listingsAT3`. Names of ours have no capitals, so that the way back is clear. Pure.
 */
export function uidOf(index: string): string {
  return `${UID_PREFIX}${index.replaceAll('@', 'AT').replaceAll('.', 'DOT')}`;
}

/** The index that a uid stands for; null where it is somebody else's. */
export function indexOf(uid: string): string | null {
  if (!uid.startsWith(UID_PREFIX)) return null;
  const name = uid.slice(UID_PREFIX.length).replaceAll('AT', '@').replaceAll('DOT', '.');
  return uidOf(name) === uid && /^[a-z][a-z0-9_.@-]*$/.test(name) ? name : null;
}
