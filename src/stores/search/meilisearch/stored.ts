import { entryDigest, type SearchEntry } from '../port.ts';
import { keyOf, SEAL_KIND } from './filters.ts';

/** An entry as Meilisearch holds it: what is searched as it is, what is filtered by its keys. Pure. */
export interface StoredEntry {
  readonly id: string;
  readonly key: string;
  readonly digest: string;
  readonly kind: string;
  readonly category: string | null;
  readonly score: number;
  readonly exact: readonly string[];
  readonly sounds: readonly string[];
  readonly names: readonly string[];
  readonly texts: readonly string[];
  readonly sound_names: readonly string[];
  readonly sound_texts: readonly string[];
}

/**
 * A seal as Meilisearch holds it: a document without a key, so that it is none of the entries, and without words.
 */
export interface StoredSeal {
  readonly id: string;
  readonly kind: typeof SEAL_KIND;
  readonly score: number;
}

/** No entry has such an id: no slug begins with a hyphen. */
const SEAL_PREFIX = '-seal-';

export function storedSeal(seal: string): StoredSeal {
  return { id: idOfSeal(seal), kind: SEAL_KIND, score: 0 };
}

export function idOfSeal(seal: string): string {
  return `${SEAL_PREFIX}${seal}`;
}

export function sealOfId(id: string): string {
  return id.slice(SEAL_PREFIX.length);
}

export function storedOf(entry: SearchEntry): StoredEntry {
  const { id, kind, category, score, exact, names, texts, transliterated } = entry;
  return {
    id,
    key: keyOf(id),
    digest: entryDigest(entry),
    kind: keyOf(kind),
    category: category === null ? null : keyOf(category),
    score,
    exact: exact.map(keyOf),
    sounds: transliterated.names.map(keyOf),
    names,
    texts,
    sound_names: transliterated.names,
    sound_texts: transliterated.texts,
  };
}
