import { RetryableError } from '../../platform/errors.ts';
import { newVersion, type Documents, type Stored, type Version } from './port.ts';

/** A document; null where there is none. */
export async function readDocument<Body>(
  documents: Pick<Documents, 'get'>,
  collection: string,
  id: string,
): Promise<Stored<Body> | null> {
  return (await documents.get<Body>(collection, [id])).get(id) ?? null;
}

/**
 * Writes a document in place of the version that was read; without one, where there is none. Returns the version that it has
 * now; null where another one stands there by now: nothing was changed.
 */
export async function replaceDocument(
  documents: Pick<Documents, 'write'>,
  collection: string,
  { id, version: read = null }: { readonly id: string; readonly version?: Version | null | undefined },
  body: unknown,
): Promise<Version | null> {
  const version = newVersion();
  const [outcome] = await documents.write(collection, [{ id, read, version, body }]);
  return outcome === 'done' ? version : null;
}

/** Somebody else has changed the document at every attempt. Nothing was written by the last one. */
export class ContentionError extends RetryableError {}

/** Each one that fails is a change of somebody else that stands: with n writers at once, one loses at most n - 1 times. */
const ATTEMPTS = 100;

/**
 * Writes what `change` makes of a document, so that nothing is lost of what others write meanwhile: where it was changed since
 * it was read, it is read and changed again. `change` is given null where there is none, and returns the next body, or null
 * to leave all as it is. It may be asked again although its own write has landed, where the answer was lost: it has to
 * recognise its work, or to be right twice. Returns what was written; null where that is nothing.
 * @throws {ContentionError} where others were faster each time.
 */
export async function changeDocument<Body>(
  documents: Pick<Documents, 'get' | 'write'>,
  collection: string,
  id: string,
  change: (stored: Stored<Body> | null) => Body | null | Promise<Body | null>,
): Promise<Stored<Body> | null> {
  const { written } = await attempts<Body, null>(documents, collection, id, async (stored) => ({
    body: await change(stored),
    result: null,
  }));
  return written;
}

export interface Change<Body, Result> {
  /** null leaves all as it is. */
  readonly body: Body | null;
  readonly result: Result;
}

/** The same, and returns the result of the change that stands. */
export async function changeDocumentFor<Body, Result>(
  documents: Pick<Documents, 'get' | 'write'>,
  collection: string,
  id: string,
  change: (stored: Stored<Body> | null) => Change<Body, Result> | Promise<Change<Body, Result>>,
): Promise<Result> {
  return (await attempts(documents, collection, id, change)).result;
}

async function attempts<Body, Result>(
  documents: Pick<Documents, 'get' | 'write'>,
  collection: string,
  id: string,
  change: (stored: Stored<Body> | null) => Change<Body, Result> | Promise<Change<Body, Result>>,
): Promise<{ readonly written: Stored<Body> | null; readonly result: Result }> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const stored = await readDocument<Body>(documents, collection, id);
    const { body, result } = await change(stored);
    if (body === null) return { written: null, result };
    const version = await replaceDocument(documents, collection, { id, version: stored?.version }, body);
    if (version !== null) return { written: { id, version, body }, result };
  }
  throw contended(collection, id);
}

/** Removes a document, whatever stands there by then. @throws {ContentionError} where others were faster each time. */
export async function removeDocument(
  documents: Pick<Documents, 'get' | 'remove'>,
  collection: string,
  id: string,
): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const stored = await readDocument(documents, collection, id);
    if (stored === null) return;
    const [outcome] = await documents.remove(collection, [{ id, read: stored.version }]);
    if (outcome === 'done') return;
  }
  throw contended(collection, id);
}

/** Removes those of these documents that are there. One that somebody changes meanwhile stays. */
export async function removeAll(
  documents: Pick<Documents, 'versions' | 'remove'>,
  collection: string,
  ids: readonly string[],
): Promise<void> {
  const versions = await documents.versions(collection, ids);
  const removals = [...versions].map(([id, read]) => ({ id, read }));
  if (removals.length > 0) await documents.remove(collection, removals);
}

function contended(collection: string, id: string): ContentionError {
  return new ContentionError(
    `The document ${id} in ${collection} is being changed by too many others at once`,
  );
}
