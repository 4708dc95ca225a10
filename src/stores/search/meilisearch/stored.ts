import { entryDigest, type SearchEntry } from '../port.ts';
import { keyOf } from './filters.ts';

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
