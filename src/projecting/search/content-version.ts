import { changeContentVersion } from '../../stores/feed-lease.ts';
import type { Search } from '../../stores/search/port.ts';
import type { FeedContext } from './feed-context.ts';

type ContentVersionParts = Pick<FeedContext, 'documents' | 'index' | 'nonce' | 'retry'>;

/** Tells readers that the index may have changed. */
export async function renewContentVersion({
  documents,
  index,
  nonce,
  retry,
}: ContentVersionParts): Promise<void> {
  await retry('saying that the index has changed', () => changeContentVersion(documents, index, nonce));
}

/**
 * The search engine, as a feed works with it: each change of entries gives the index another content version, before anybody
 * takes it for told. One that failed does, too, as any part of it may have landed.
 */
export function withContentVersions(search: Search, parts: ContentVersionParts): Search {
  async function thenRenewed<T>(change: Promise<T>): Promise<T> {
    try {
      return await change;
    } finally {
      await renewContentVersion(parts);
    }
  }
  return {
    ...search,
    put: (name, entries) => thenRenewed(search.put(name, entries)),
    remove: (name, ids) => thenRenewed(search.remove(name, ids)),
  };
}
