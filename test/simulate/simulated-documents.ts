import { PermanentError } from '../../src/platform/errors.ts';
import type {
  Documents,
  Outcome,
  Query,
  Removal,
  Stored,
  Version,
  Write,
} from '../../src/stores/documents/port.ts';
import type { Marked } from '../../src/stores/outbox.ts';
import type { Worker } from './worker.ts';

/** What is durable: bodies as text, so that nobody can change one by holding on to it. */
export interface SharedDocuments {
  readonly collections: Map<string, Map<string, { readonly version: Version; readonly text: string }>>;
  /** Called with each write that is applied; bodies are fresh copies. */
  readonly onWrite: (collection: string, id: string, before: unknown, after: unknown) => void;
}

export function bodyOf(shared: SharedDocuments, collection: string, id: string): unknown {
  const found = shared.collections.get(collection)?.get(id);
  return found && JSON.parse(found.text);
}

/** The shared documents through one worker's connection: the part of the port that projecting uses. */
export function connectDocuments(shared: SharedDocuments, worker: Worker): Documents {
  const { world } = worker;
  const inside = (collection: string) => {
    const found = shared.collections.get(collection);
    if (!found) throw new PermanentError(`no collection ${collection}`);
    return found;
  };
  const read = <Body>(collection: string, ids: readonly string[]): Stored<Body>[] =>
    ids.flatMap((id) => {
      const found = inside(collection).get(id);
      return found ? [{ id, version: found.version, body: JSON.parse(found.text) as Body }] : [];
    });
  const isSpared = (extent: 'all' | 'part'): boolean => extent === 'part' && world.chance(0.5);

  async function* scan<Body>(collection: string): AsyncGenerator<readonly Stored<Body>[]> {
    const ids = await worker.call('scan', () => [...inside(collection).keys()].sort());
    for (const id of ids) yield await worker.call('scan', () => read<Body>(collection, [id]));
  }

  function writeOne(collection: string, { id, read: expected, version, body }: Write<string>): Outcome {
    const before = inside(collection).get(id);
    if (before?.version === version) return 'done';
    if ((before?.version ?? null) !== expected) {
      world.happen(`conflict in ${collection}`);
      return 'conflict';
    }
    inside(collection).set(id, { version, text: body });
    shared.onWrite(collection, id, before && JSON.parse(before.text), JSON.parse(body));
    return 'done';
  }

  function removeOne(collection: string, { id, read: expected }: Removal): Outcome {
    const before = inside(collection).get(id);
    if (before && before.version !== expected) return 'conflict';
    inside(collection).delete(id);
    return 'done';
  }

  return {
    declare: ({ name }) =>
      worker.call('declare', () => {
        if (!shared.collections.has(name)) shared.collections.set(name, new Map());
      }),
    get: <Body>(collection: string, ids: readonly string[]) =>
      worker.call('get', () => new Map(read<Body>(collection, ids).map((stored) => [stored.id, stored]))),
    versions: (collection, ids) =>
      worker.call('versions', () => new Map(read(collection, ids).map(({ id, version }) => [id, version]))),
    write: (collection, writes) => {
      // As they are now: the caller may not change them under way.
      const texts = writes.map((write) => ({ ...write, body: JSON.stringify(write.body) }));
      return worker.call(`write ${collection}`, (extent) =>
        texts.map((write) => (isSpared(extent) ? 'conflict' : writeOne(collection, write))),
      );
    },
    remove: (collection, removals) =>
      worker.call('remove', (extent) =>
        removals.map((removal) => (isSpared(extent) ? 'conflict' : removeOne(collection, removal))),
      ),
    scan,
    now: () => worker.call('now', () => world.now()),
    find: <Body>(collection: string, { where, limit, after = '' }: Query) =>
      worker.call('find', () => {
        const found = read<Body>(collection, [...inside(collection).keys()].sort())
          .filter(({ id, body }) => id > after && markIn(body) === where['dirty.mark'])
          .slice(0, limit + 1);
        return {
          documents: found.slice(0, limit),
          next: found.length > limit ? (found[limit - 1]?.id ?? null) : null,
        };
      }),
    count: (collection) =>
      worker.call('count', () => {
        const marks = read(collection, [...inside(collection).keys()]).map(({ body }) => markIn(body));
        return [...Map.groupBy(marks, (mark) => mark)].map(([mark, { length }]) => ({
          values: [mark],
          count: length,
        }));
      }),
    collections: () => notSimulated(),
    drop: () => notSimulated(),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** The one thing that documents are found by here. */
function markIn(body: unknown): string | null {
  return (body as Marked).dirty?.mark ?? null;
}

function notSimulated(): never {
  throw new PermanentError('not simulated');
}
