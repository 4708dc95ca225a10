import { PermanentError } from '../../src/platform/errors.ts';
import type { CollectionSpec, Documents, Write } from '../../src/stores/documents/port.ts';
import { type Act, rightsOf, type RoleName } from './deployed-roles.ts';

/** The indexes that were made on a store, whoever has made them. */
const made = new WeakMap<Documents, Set<string>>();

function indexesOf(documents: Documents): Set<string> {
  const known = made.get(documents) ?? new Set();
  made.set(documents, known);
  return known;
}

/**
 * The documents as a user of the database has them: what its role lacks is refused, and what it used is noted. Which actions a
 * call needs is what the adapter to MongoDB asks for; test/support/role-proxy.ts sees those as they are asked.
 */
export function documentsAs(user: RoleName, documents: Documents, used: Set<Act>): Documents {
  const rights = rightsOf(user);

  function need(action: string, collection: string): void {
    if (!rights.may(action, collection))
      throw new PermanentError(`${user} is not authorized: ${action} ${collection}`);
    used.add(`${action} ${collection}`);
  }

  async function needToDeclare({ name, indexes }: CollectionSpec): Promise<void> {
    need('listIndexes', name);
    need('listCollections', '');
    if (!(await documents.collections()).includes(name)) need('createCollection', name);
    const known = indexesOf(documents);
    const missing = indexes.map((index) => `${name} ${index.join()}`).filter((index) => !known.has(index));
    if (missing.length > 0) need('createIndex', name);
    for (const index of missing) known.add(index);
  }

  const needs: Readonly<Record<string, (name: string, given: unknown) => void | Promise<void>>> = {
    declare: (_name, spec) => needToDeclare(spec as CollectionSpec),
    write: (name, writes) => {
      for (const { read } of writes as readonly Write<unknown>[])
        need(read === null ? 'insert' : 'update', name);
    },
    remove: (name) => need('remove', name),
    drop: (name) => need('dropCollection', name),
    collections: () => need('listCollections', ''),
    now: () => undefined,
  };
  return new Proxy(documents, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      const call = value.bind(target) as (...given: unknown[]) => unknown;
      if (name === 'scan')
        return (collection: string) => {
          need('find', collection);
          return call(collection);
        };
      if (typeof name === 'symbol') return call;
      return async (...given: unknown[]) => {
        const collection = String(given[0]);
        const ask = needs[name] ?? ((read: string) => need('find', read));
        await ask(collection, name === 'declare' ? given[0] : given[1]);
        return await call(...given);
      };
    },
  });
}
