import {
  newVersion,
  type CollectionSpec,
  type Documents,
  type Outcome,
  type Version,
  type Write,
} from './documents/port.ts';

/** Which version of each read model is live: one small document for each, the alias, written under its guard. */

export const ALIASES: CollectionSpec = { name: 'aliases', indexes: [] };

export interface Alias {
  readonly version: number;
  /** Readers take the collection and the index from one alias, so they see the old pair or the new one, never a mix. */
  readonly collection: string;
  /** null where the read model has no search index. */
  readonly index: string | null;
  /** Of every version that was started: the digest of what its fold is made of. */
  readonly sources: Readonly<Record<string, string>>;
}

/** An alias as it was read; `token` is the guard of the next write. */
interface LiveAlias extends Alias {
  readonly token: Version;
}

export interface Live {
  /** The alias of a read model; null before its first start. */
  read(name: string): Promise<LiveAlias | null>;
  /**
   * Makes another version live. `conflict` where the alias is no longer the one that was read; nothing was changed.
   * A repetition after a lost answer finds its own wish fulfilled, and is `done`.
   */
  set(name: string, from: LiveAlias, to: Alias): Promise<Outcome>;
}

export function openLive(documents: Documents): Live {
  return {
    read: (name) => readAlias(documents, name),
    set: async (name, from, to) => {
      if ((await replaceAlias(documents, name, from.token, to)) === 'done') return 'done';
      const current = await readAlias(documents, name);
      return current && sameAlias(current, to) ? 'done' : 'conflict';
    },
  };
}

/** A fold as it is told from others. */
export interface FoldIdentity {
  /** The digest of the projection's sources, the event schemas and the upcasters that it uses. */
  readonly sources: string;
  /** Those of folds that are proven to make the same documents, byte for byte. Default none. */
  readonly equal?: readonly string[];
}

/** Whether documents that the fold with this digest made are those that another one would make. */
export function isSameFold({ sources, equal = [] }: FoldIdentity, known: string): boolean {
  return known === sources || equal.includes(known);
}

interface Claim extends FoldIdentity {
  readonly name: string;
  readonly version: number;
  readonly collection: string;
  /** Default null. */
  readonly index?: string | null;
}

type Claimed =
  | { readonly outcome: 'claimed' }
  /** This version was started before, with another fold. Raise the version, or bring the old fold back. */
  | { readonly outcome: 'changed_fold' }
  | { readonly outcome: 'other_version'; readonly live: number };

/**
 * Says whether a process may start this version of a read model as the live one, and makes it live where none is.
 * Any number of processes may claim at once; repeating it is safe.
 */
export async function claimVersion(documents: Documents, claim: Claim): Promise<Claimed> {
  const { name, version, collection, index = null, sources } = claim;
  await documents.declare(ALIASES);
  for (;;) {
    const current = await readAlias(documents, name);
    const known = current?.sources[version] ?? null;
    if (known !== null && !isSameFold(claim, known)) return { outcome: 'changed_fold' };
    if (current && current.version !== version) return { outcome: 'other_version', live: current.version };
    if (known !== null) return { outcome: 'claimed' };
    const alias = current
      ? { ...current, sources: { ...current.sources, [version]: sources } }
      : { version, collection, index, sources: { [version]: sources } };
    const written = await replaceAlias(documents, name, current?.token ?? null, alias);
    // A conflict means that another process has claimed meanwhile, and that its alias decides.
    if (written === 'done') return { outcome: 'claimed' };
  }
}

async function readAlias(documents: Documents, name: string): Promise<LiveAlias | null> {
  const stored = (await documents.get<Alias>(ALIASES.name, [name])).get(name);
  return stored ? { ...stored.body, token: stored.version } : null;
}

async function replaceAlias(
  documents: Documents,
  name: string,
  read: Version | null,
  { version, collection, index, sources }: Alias,
): Promise<Outcome> {
  const body: Alias = { version, collection, index, sources };
  const write: Write<Alias> = { id: name, read, version: newVersion(), body };
  const [outcome = 'conflict'] = await documents.write(ALIASES.name, [write]);
  return outcome;
}

function sameAlias(a: Alias, b: Alias): boolean {
  const known = Object.entries(b.sources).every(([version, digest]) => a.sources[version] === digest);
  return a.version === b.version && a.collection === b.collection && a.index === b.index && known;
}
