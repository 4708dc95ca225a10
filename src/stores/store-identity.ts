import { once } from '../platform/once.ts';
import { randomInt } from 'node:crypto';

import { PermanentError } from '../platform/errors.ts';
import { EARLIER_FORMAT } from './documents/old-format-message.ts';
import { wrapCalls } from './wrap-calls.ts';
import { readDocument, replaceDocument } from './documents/change-document.ts';
import type { CollectionSpec, Documents, Stored } from './documents/port.ts';

/**
 * The identity of a store of documents: one small document, made with the store and kept in it. What several stores
 * could share on one log carries it in its name, so that a second deployment on that log disturbs nobody. Beside it
 * stands the format of everything that is stored, so that a store of another format is refused and not misread.
 */
export interface Identity {
  /** 8 of `a-z` and `0-9`, a letter first. */
  readonly id: string;
  readonly format: number;
}

/** Raised where a release can no longer read what the one before has stored. */
export const FORMAT = 6;

export const IDENTITY: CollectionSpec = { name: 'identity', indexes: [] };
const ID = 'store';

/** The identity of a store; null where nothing was ever stored. @throws {PermanentError} where the format is another. */
export async function readIdentity(documents: Documents, where: string): Promise<Stored<Identity> | null> {
  // In this order: an identity is made before anything else.
  const collections = await documents.collections();
  const stored = collections.includes(IDENTITY.name)
    ? await readDocument<Identity>(documents, IDENTITY.name, ID)
    : null;
  const format = stored?.body.format ?? (collections.some(isOfFirstFormat) ? 1 : FORMAT);
  if (format < FORMAT) throw new PermanentError(`${where} ${EARLIER_FORMAT}`);
  if (format > FORMAT) throw new PermanentError(`${where} ${MADE_LATER}`);
  return stored;
}

const MADE_LATER = 'was made by a later release, in a format that this one does not read. Run that release.';

/** What the first format had, which knew of no identity. */
function isOfFirstFormat(collection: string): boolean {
  return /^(?:aliases|keys|(?:categories|listings|monitor)@\d+)$/.test(collection);
}

/** The identity of a store, made where it has none. Any number of processes may ask at once: all are told the same. */
export async function ensureIdentity(documents: Documents, where: string): Promise<Identity> {
  for (;;) {
    const stored = await readIdentity(documents, where);
    if (stored) return stored.body;
    await documents.declare(IDENTITY);
    const body: Identity = { id: newId(), format: FORMAT };
    // Where another process was first, its identity is the one that is read next.
    await replaceDocument(documents, IDENTITY.name, { id: ID }, body);
  }
}

/** Gives a copy of a store an identity of its own. False where somebody else has just done so. */
export async function renewIdentity(
  documents: Documents,
  stored: Stored<Identity>,
): Promise<Identity | null> {
  const body: Identity = { ...stored.body, id: newId() };
  return (await replaceDocument(documents, IDENTITY.name, stored, body)) === null ? null : body;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

function newId(): string {
  const draw = (from: string): string => from.charAt(randomInt(from.length));
  return draw(LETTERS) + Array.from({ length: 7 }, () => draw(`${LETTERS}0123456789`)).join('');
}

/**
 * The same documents, whose identity and format are looked at before the first call: every call is refused where the
 * store is of another format, and nothing is changed in it. What declares a collection gives a new store its identity
 * first. `where` names the store, for people.
 */
export function withIdentityCheck(documents: Documents, where: string): Documents {
  const checked = once(async () => void (await readIdentity(documents, where)));
  const made = once(async () => void (await ensureIdentity(documents, where)));
  return wrapCalls(documents, async (call, name) => {
    await (name === 'declare' ? made() : checked());
    return await call();
  });
}
