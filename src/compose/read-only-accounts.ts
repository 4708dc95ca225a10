import { ACCOUNT_COLLECTIONS } from '../access/accounts/sign-in.ts';
import { ACCOUNTS, KEYS } from '../access/keys/account-document.ts';
import { KEY_NOTICES } from '../access/instance-notices.ts';
import { PermanentError } from '../platform/errors.ts';
import type { CollectionSpec, Documents } from '../stores/documents/port.ts';
import type { Parts } from './parts.ts';

/** What only those may write who look after accounts. */
export const GUARDED: ReadonlySet<string> = new Set(
  [ACCOUNTS, KEYS, KEY_NOTICES, ...ACCOUNT_COLLECTIONS].map(({ name }) => name),
);

/**
 * The same parts, in whose documents accounts, keys and sessions can only be read: a slip in what the API does is then a fault,
 * and no key. They are not declared either: where nobody has made them, there are none. What holds against somebody who runs
 * code of their own there is the database's role.
 */
export function withoutAccounts(parts: Parts): Parts {
  const { documents } = parts;
  return Object.create(parts, { documents: { value: readingAccounts(documents) } }) as Parts;
}

function readingAccounts(documents: Documents): Documents {
  return new Proxy(documents, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      const bound = value.bind(target) as (...given: unknown[]) => unknown;
      if (name === 'declare')
        return async (collection: CollectionSpec) =>
          GUARDED.has(collection.name) ? undefined : await bound(collection);
      if (name !== 'write' && name !== 'remove' && name !== 'drop') return bound;
      return async (collection: string, ...rest: unknown[]) => {
        if (GUARDED.has(collection)) throw new PermanentError(`This process may not write ${collection}`);
        return await bound(collection, ...rest);
      };
    },
  });
}
