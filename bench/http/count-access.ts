import { LISTINGS } from '../../test/support/collections.ts';
import { overriding } from '../../test/support/overriding.ts';
import type { Documents } from '../../src/stores/documents/port.ts';

/** Collections that are none of a read model, nor of how builds are kept: those of keys, accounts and the quota. */
const OF_ACCESS = /^(keys|accounts|key-|quota)/;

/** The same documents, how many of those of keys and the quota have been read and written by them, and how often listings or their versions were read. */
export function countAccess(documents: Documents) {
  const used = { accessRead: 0, accessWritten: 0, listingReads: 0 };
  const read = (collection: string, count: number): void => {
    if (OF_ACCESS.test(collection)) used.accessRead += count;
  };
  const counted = overriding(documents, {
    get: async (collection, ...rest) => {
      const found = await documents.get(collection, ...rest);
      read(collection, found.size);
      if (collection === LISTINGS) used.listingReads += 1;
      return found as never;
    },
    versions: async (collection, ...rest) => {
      if (collection === LISTINGS) used.listingReads += 1;
      return await documents.versions(collection, ...rest);
    },
    find: async (collection, ...rest) => {
      const page = await documents.find(collection, ...rest);
      read(collection, page.documents.length);
      return page as never;
    },
    write: async (collection, writes, ...rest) => {
      if (OF_ACCESS.test(collection)) used.accessWritten += writes.length;
      return await documents.write(collection, writes, ...rest);
    },
  });
  return { documents: counted, used };
}
