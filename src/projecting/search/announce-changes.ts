import { changeContentVersion } from '../../stores/feed-lease.ts';
import type { Search } from '../../stores/search/port.ts';
import type { FeedContext } from './feed-context.ts';

type Announcing = Pick<FeedContext, 'documents' | 'index' | 'nonce' | 'retry'>;

/** Gives the index another content version: it may have changed. */
export async function announceChange({ documents, index, nonce, retry }: Announcing): Promise<void> {
  await retry('saying that the index has changed', () => changeContentVersion(documents, index, nonce));
}

/**
 * The search engine, as a feed works with it: each change of entries gives the index another content version, before anybody
 * takes it for told. One that failed does, too, as any part of it may have landed.
 */
export function announceChanges(search: Search, announcing: Announcing): Search {
  async function announced<T>(change: Promise<T>): Promise<T> {
    try {
      return await change;
    } finally {
      await announceChange(announcing);
    }
  }
  return {
    ...search,
    put: (name, entries) => announced(search.put(name, entries)),
    remove: (name, ids) => announced(search.remove(name, ids)),
  };
}
