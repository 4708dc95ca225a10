import { PermanentError } from '../platform/errors.ts';
import { isOlderBuild } from './build-names.ts';
import { changeDocumentFor, readDocument } from './documents/change-document.ts';
import type { CollectionSpec, Documents, Version, Stored } from './documents/port.ts';
import { STORE_LIMIT_MS } from './time-limit.ts';

/**
 * Which build of each read model is live: one small document for each, the alias. Every change of it is one guarded write,
 * so that of two that decide at once one finds out that it came second.
 */

export const ALIASES: CollectionSpec = { name: 'aliases', indexes: [] };

export interface Alias {
  /** Of the live build. */
  readonly version: number;
  /** Readers take the collection and the index from one alias, so they see the old pair or the new one, never a mix. */
  readonly collection: string;
  /** null where the read model has no search index. */
  readonly index: string | null;
  /** Of every version that was started: the digest of what its fold makes of recorded events. */
  readonly folds: Readonly<Record<string, string>>;
  /** Builds that are kept up to date beside the live one, by the names of their collections. */
  readonly beside: readonly string[];
  /** null where nobody is about to switch. */
  readonly pause: Pause | null;
  /** The build that was live before; null where none was, or where it was dropped. */
  readonly before: string | null;
  /** The newest switches, oldest first, at most `KEPT_SWITCHES`. */
  readonly switches: readonly BuildSwitch[];
  /** After a rollback: nothing but an explicit cut-over makes another build live. */
  readonly pinned: boolean;
  /** The highest number that a build of each version was given: no name is used again, also not after a drop. */
  readonly begun: Readonly<Record<string, number>>;
}

/** One switch, for questions about the past: which build was live then. */
interface BuildSwitch {
  /** The build that became live. */
  readonly build: string;
  /** The one that was live until then; null where that is not known any more. */
  readonly before: string | null;
  /** By the store's clock, Unix milliseconds. */
  readonly at: number;
}

/** Enough for years of releases; an alias is read with every poll, so it stays small. */
export const KEPT_SWITCHES = 50;

/**
 * Lanes of the named builds write nothing while it stands. It stands in the alias itself, so ending it defeats a switch
 * that comes too late, and a command that was killed leaves nothing behind.
 */
export interface Pause {
  /** Another one for every pause. */
  readonly token: string;
  /** Who has asked for it, for people: `host:pid`. */
  readonly owner: string;
  /** By the store's clock, Unix milliseconds; after it anybody may end the pause. */
  readonly until: number;
  /** The collections of the builds. */
  readonly builds: readonly string[];
}

/** For so long a process that serves goes by an alias, from when it began to read it, in milliseconds. */
export const ALIAS_MS = 500;

/**
 * For so long after a switch processes that serve may read the build that was live before, in milliseconds: a request may
 * begin just before its alias runs out, and then has the whole time that it waits for stores.
 */
export const READERS_MS = ALIAS_MS + STORE_LIMIT_MS;

/** No pause is longer, in milliseconds. */
const LONGEST_PAUSE_MS = 60_000;

/**
 * Whether a pause is not over yet, by the store's clock. One that ends later than anybody could have said is of a time
 * before that clock was put back.
 * @param now - Asked for after the pause was read: one that began later than `now` may end later, too, and stands.
 */
export function isStanding({ until }: Pause, now: number): boolean {
  return until > now && until <= now + LONGEST_PAUSE_MS;
}

/** An alias as it was read; `token` is its version. */
export interface LiveAlias extends Alias {
  readonly token: Version;
}

/** The alias of a read model; null before its first start. */
export type ReadAlias = (name: string) => Promise<LiveAlias | null>;

export async function readAlias(documents: Pick<Documents, 'get'>, name: string): Promise<LiveAlias | null> {
  const stored = await readDocument<Alias>(documents, ALIASES.name, name);
  return stored ? aliasOf(stored) : null;
}

/** The same where there has to be one. @throws {PermanentError} before the first start. */
export async function requireAlias(documents: Pick<Documents, 'get'>, name: string): Promise<LiveAlias> {
  const alias = await readAlias(documents, name);
  if (alias) return alias;
  throw new PermanentError(`${name} was never projected: start a projector first ("npm start").`);
}

function aliasOf({ body, version }: Stored<Alias>): LiveAlias {
  return { ...body, token: version };
}

/** The rest of an alias that nothing else stands beside. */
export const NOTHING_BESIDE = {
  beside: [],
  pause: null,
  before: null,
  switches: [],
  pinned: false,
  begun: {},
} as const satisfies Partial<Alias>;

/**
 * Writes what `change` makes of the alias as it stands, null before the first; nothing where that is null. It is asked
 * again where somebody else was faster. Returns what it made last.
 */
export async function changeAlias<Next extends Alias | null>(
  documents: Pick<Documents, 'get' | 'write'>,
  name: string,
  change: (alias: LiveAlias | null) => Next | Promise<Next>,
): Promise<Next> {
  return await changeDocumentFor<Alias, Next>(documents, ALIASES.name, name, async (stored) => {
    const result = await change(stored && aliasOf(stored));
    if (result === null) return { body: null, result };
    const { token: _read, ...body } = result as Alias & Partial<LiveAlias>;
    return { body, result };
  });
}

/** Ends the pause of a read model where it is over: anybody may. Returns it; null where none is. */
export async function endOverduePause(
  documents: Pick<Documents, 'get' | 'write' | 'now'>,
  name: string,
): Promise<Pause | null> {
  let ended: Pause | null = null;
  await changeAlias(documents, name, async (alias) => {
    ended = alias?.pause && !isStanding(alias.pause, await documents.now()) ? alias.pause : null;
    return alias && ended && { ...alias, pause: null };
  });
  return ended;
}

/** Every build that is kept up to date, the live one first. */
export function buildsOf({ collection, beside }: Pick<Alias, 'collection' | 'beside'>): readonly string[] {
  return [collection, ...beside.filter((build) => build !== collection)];
}

/**
 * Where a rollback goes: to the build that was live before. A newer one is never gone back to, for then the last switch was
 * a rollback, and the one that it went to stays. null where there is nothing to go to.
 */
export function rollbackTarget({ before, collection }: Alias): string | null {
  if (before === null || before === collection) return null;
  return isOlderBuild(collection, before) ? collection : before;
}

/** The switches of an alias after one more, the oldest ones forgotten. */
export function withSwitch(alias: Pick<Alias, 'switches'>, added: BuildSwitch): readonly BuildSwitch[] {
  return [...alias.switches, added].slice(-KEPT_SWITCHES);
}

/**
 * Which build was live at some moment, as far as the alias remembers its switches; null where that is not known.
 * @param at - Unix milliseconds, by the store's clock as near as anybody can tell.
 */
export function liveBuildAt({ collection, switches }: Pick<Alias, 'collection' | 'switches'>, at: number) {
  const last = switches.findLast((one) => one.at <= at);
  if (last) return last.build;
  // Before the oldest one that is remembered there may have been others.
  if (switches.length >= KEPT_SWITCHES) return null;
  return switches.length === 0 ? collection : (switches[0]?.before ?? null);
}
