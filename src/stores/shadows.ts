import { readDocument } from './documents/change-document.ts';
import type { CollectionSpec, Documents, Version } from './documents/port.ts';

/**
 * The shadows that there are: one small document for each, by the name of its collection (`listings@1-weights`). A shadow is
 * a read model folded from a part of history, which nothing serves and nothing keeps up to date. Its states:
 *
 *   absent --a replay begins--> unfinished --all its documents are written and were read back--> finished
 *   unfinished --the replay was killed, and another one of this name begins--> unfinished, from nothing
 *
 * A replay that fails takes its documents away, and then this.
 */
export const SHADOWS: CollectionSpec = { name: 'shadows', indexes: [] };

export interface Shadow {
  /** `listings` */
  readonly read_model: string;
  /** As it was given, or chosen: `weights`. */
  readonly name: string;
  /** What it was folded from: `log`, or the folder of an archive. */
  readonly source: string;
  /** The bounds as they were understood; null where there is none. */
  readonly from: string | null;
  readonly until: string | null;
  /** The formula in place of the shipped one; null where it is that. */
  readonly formula: { readonly file: string; readonly digest: string } | null;
  /** By the store's clock, Unix milliseconds. */
  readonly began_at: number;
  /** What came of it; null while it is unfinished. */
  readonly made: ReplayResult | null;
}

export interface ReplayResult {
  /** By the store's clock, Unix milliseconds. */
  readonly at: number;
  /** Between the bounds: folded or not. */
  readonly records: number;
  /** Of them, those that were left out: the live build has them parked or discarded, or they cannot be decoded. */
  readonly left_out: number;
  /** Whether the source no longer held all of history: the shadow lacks what stood in the rest. */
  readonly is_cut: boolean;
  readonly documents: number;
  /** SHA-256 over ids and digests of all documents' bodies, ascending by id: equal shadows have equal digests. */
  readonly digest: string;
}

/** A shadow as it was read. `token` is the guard of the next write. */
export interface StoredShadow extends Shadow {
  /** The name of its collection. */
  readonly id: string;
  readonly token: Version;
}

/** All of them, by the names of their collections. */
export async function readShadows(documents: Pick<Documents, 'scan'>): Promise<readonly StoredShadow[]> {
  const stored = await Array.fromAsync(documents.scan<Shadow>(SHADOWS.name));
  return stored.flat().map(({ id, version, body }) => ({ ...body, id, token: version }));
}

export async function readShadow(
  documents: Pick<Documents, 'get'>,
  id: string,
): Promise<StoredShadow | null> {
  const stored = await readDocument<Shadow>(documents, SHADOWS.name, id);
  return stored ? { ...stored.body, id, token: stored.version } : null;
}

/** Removes a shadow with its documents: its record last, so that an unfinished removal can be found and repeated. */
export async function removeShadow(
  documents: Pick<Documents, 'drop' | 'remove'>,
  { id, token }: Pick<StoredShadow, 'id' | 'token'>,
): Promise<void> {
  await documents.drop(id);
  await documents.remove(SHADOWS.name, [{ id, read: token }]);
}
