import { KEYS } from '../access/keys/account-document.ts';
import { replaceDocument } from '../stores/documents/change-document.ts';
import type { Documents } from '../stores/documents/port.ts';
import { IDENTITY } from '../stores/store-identity.ts';

/**
 * What a store knows the pepper of its keys by: a digest of it, in the id of a document beside the identity of the store.
 * It is added by each process that may make keys, until there is a key. So several may be known, of those that were tried
 * before it; and nobody needs the right to change one.
 */

const MARK = 'pepper-';

/** The marks of the store; null while it has no keys: any pepper may be the first then. */
export async function readPepperMarks(documents: Documents): Promise<readonly string[] | null> {
  let hasKeys = false;
  for await (const page of documents.scan(KEYS.name)) {
    hasKeys = page.length > 0;
    if (hasKeys) break;
  }
  if (!hasKeys) return null;
  const marks: string[] = [];
  for await (const page of documents.scan(IDENTITY.name))
    marks.push(...page.flatMap(({ id }) => (id.startsWith(MARK) ? [id.slice(MARK.length)] : [])));
  return marks;
}

export async function keepPepperMark(documents: Documents, mark: string): Promise<void> {
  await documents.declare(IDENTITY);
  // It may be there already.
  await replaceDocument(documents, IDENTITY.name, { id: `${MARK}${mark}` }, {});
}
