import type { Documents, Page, Query, Stored } from './port.ts';

/** All documents that meet the conditions, by id, in pages of at most `limit`. Not a snapshot. */
export async function* pagesOf<Body>(
  documents: Pick<Documents, 'find'>,
  collection: string,
  query: Omit<Query, 'order' | 'after'>,
): AsyncGenerator<readonly Stored<Body>[]> {
  for (let after: string | null = ''; after !== null;) {
    const page: Page<Body> = await documents.find<Body>(collection, { ...query, order: [], after });
    if (page.documents.length > 0) yield page.documents;
    after = page.next;
  }
}
