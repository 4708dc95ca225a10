import { changeContentVersion } from '../../stores/feed-lease.ts';
import type { Search } from '../../stores/search/port.ts';
import type { FeedContext } from './feed-context.ts';

/**
 * The search engine, as a feed works with it: each change of entries gives the index another content version, before anybody
 * takes it for told. One that failed does, too, as any part of it may have landed.
 */
export function announceChanges(
  search: Search,
  { documents, index, nonce }: Pick<FeedContext, 'documents' | 'index' | 'nonce'>,
): Search {
  async function announced<T>(change: Promise<T>): Promise<T> {
    try {
      return await change;
    } finally {
      await changeContentVersion(documents, index, nonce());
    }
  }
  return {
    ...search,
    put: (name, entries) => announced(search.put(name, entries)),
    remove: (name, ids) => announced(search.remove(name, ids)),
  };
}
