import { PermanentError, RetryableError } from '../../src/platform/errors.ts';
import { withKeys } from '../../src/stores/documents/pick-keys.ts';
import type {
  Condition,
  Documents,
  Outcome,
  Query,
  ReadOptions,
  Removal,
  Scalar,
  Stored,
  Write,
} from '../../src/stores/documents/port.ts';
import { Kept } from './kept.ts';
import type { Worker } from './worker.ts';

/** What is durable. */
export interface SharedDocuments {
  readonly collections: Map<string, Map<string, Kept>>;
  /** What an old primary shows for a while and no majority holds, by `COLLECTION/ID`: it will be rolled back. */
  readonly unreplicated: Map<string, { readonly kept: Kept; readonly until: number }>;
  /** Until then every call fails, by an error that nobody has a name for. */
  namelessUntil: number;
  /** Until then nothing can be written: a full disk, no majority. */
  readOnlyUntil: number;
  /** Called with each write that is applied; bodies are frozen. */
  readonly onWrite: (change: Change) => void;
}

export interface Change {
  readonly collection: string;
  readonly id: string;
  readonly before: unknown;
  readonly after: unknown;
  /** The process that has written it. */
  readonly writer: string;
}

export function createDocuments(onWrite: SharedDocuments['onWrite']): SharedDocuments {
  return { collections: new Map(), unreplicated: new Map(), namelessUntil: 0, readOnlyUntil: 0, onWrite };
}

/** The body to look at, frozen. */
export function bodyOf(shared: SharedDocuments, collection: string, id: string): unknown {
  return shared.collections.get(collection)?.get(id)?.body;
}

/** The shared documents through one worker's connection: the part of the port that projecting uses. */
export function connectDocuments(shared: SharedDocuments, worker: Worker): Documents {
  const { world } = worker;
  const inside = (collection: string): Map<string, Kept> => shared.collections.get(collection) ?? new Map();
  /** As MongoDB does: what is written into a collection that was dropped makes it again. */
  const made = (collection: string): Map<string, Kept> => {
    const found = inside(collection);
    shared.collections.set(collection, found);
    return found;
  };
  const shown = (collection: string, id: string, durable: boolean): Kept | undefined => {
    const fleeting = durable ? undefined : shared.unreplicated.get(`${collection}/${id}`);
    if (fleeting === undefined || fleeting.until < world.now()) return inside(collection).get(id);
    world.happen(`unreplicated ${collection} read`);
    return fleeting.kept;
  };
  const read = (
    collection: string,
    ids: readonly string[],
    durable = false,
  ): (readonly [id: string, kept: Kept])[] =>
    ids.flatMap((id) => {
      const found = shown(collection, id, durable);
      return found ? [[id, found] as const] : [];
    });
  const call = <T>(what: string, apply: (extent: 'all' | 'part') => T): Promise<T> =>
    worker.call(what, (extent) => {
      if (world.now() >= shared.namelessUntil) return apply(extent);
      world.happen('nameless error');
      // A process that cannot begin ends, and is started again: that is its supervisor's business.
      if (what === 'declare') throw new RetryableError('not now');
      throw new PermanentError('InternalError, code 1');
    });
  const isSpared = (extent: 'all' | 'part'): boolean => extent === 'part' && world.chance(0.5);

  async function* scan<Body>(
    collection: string,
    { keys }: ReadOptions = {},
  ): AsyncGenerator<readonly Stored<Body>[]> {
    const ids = await call('scan', () => [...inside(collection).keys()].sort());
    for (const id of ids) {
      yield await call('scan', () => read(collection, [id]).map((found) => stored<Body>(found, keys)));
    }
  }

  function writeOne(collection: string, write: Write<string>): Outcome {
    const { id, read: expected, version } = write;
    const before = inside(collection).get(id);
    if (before?.version === version) return 'done';
    if ((before?.version ?? null) !== expected) {
      world.happen(`conflict in ${collection}`);
      return 'conflict';
    }
    const after = new Kept(version, textOf(write, before));
    made(collection).set(id, after);
    // Names that are not drawn from the seed make each run another one.
    world.tell(`${collection}/${id}`);
    shared.onWrite({ collection, id, before: before?.body, after: after.body, writer: worker.name });
    return 'done';
  }

  /** An old primary takes a write, shows it, and never has it acknowledged. */
  function refuseWhereNotPrimary(collection: string, writes: readonly Write<string>[]): void {
    if (world.now() < shared.readOnlyUntil) throw new RetryableError('no space left');
    const places = writes.map(({ id }) => `${collection}/${id}`);
    const isOld = places.some((place) => (shared.unreplicated.get(place)?.until ?? 0) >= world.now());
    if (isOld) throw new RetryableError('not the primary any more');
    if (!ROLLED_BACK.has(collection) || !world.chance(world.faults / 4)) return;
    const until = world.now() + 5000 * world.random();
    for (const [index, write] of writes.entries()) {
      const held = inside(collection).get(write.id);
      if ((held?.version ?? null) !== write.read) continue;
      const kept = new Kept(write.version, textOf(write, held));
      shared.unreplicated.set(String(places[index]), { kept, until });
    }
    throw new RetryableError('not acknowledged by a majority');
  }

  function removeOne(collection: string, { id, read: expected }: Removal): Outcome {
    const before = inside(collection).get(id);
    if (before && before.version !== expected) return 'conflict';
    inside(collection).delete(id);
    return 'done';
  }

  return {
    declare: ({ name }) =>
      call('declare', () => {
        if (!shared.collections.has(name)) shared.collections.set(name, new Map());
      }),
    get: <Body>(collection: string, ids: readonly string[], { keys }: ReadOptions = {}) =>
      call('get', () => new Map(read(collection, ids).map((found) => [found[0], stored<Body>(found, keys)]))),
    versions: (collection, ids, { durable = false } = {}) =>
      call('versions', () => {
        return new Map(read(collection, ids, durable).map(([id, { version }]) => [id, version]));
      }),
    write: (collection, writes) => {
      // As they are now: the caller may not change them under way.
      const texts = writes.map((write) => ({ ...write, body: JSON.stringify(write.body) }));
      return call(`write ${collection}`, (extent) => {
        refuseWhereNotPrimary(collection, texts);
        return texts.map((write) => (isSpared(extent) ? 'conflict' : writeOne(collection, write)));
      });
    },
    remove: (collection, removals) =>
      call('remove', (extent) =>
        removals.map((removal) => (isSpared(extent) ? 'conflict' : removeOne(collection, removal))),
      ),
    scan,
    now: () => call('now', () => world.now()),
    find: <Body>(collection: string, { where, limit, after = '', durable = false, keys }: Query) =>
      call('find', () => {
        const found = read(collection, [...inside(collection).keys()].sort(), durable)
          .filter(([id, { body }]) => id > after && isWanted(body, where))
          .slice(0, limit + 1)
          .map((one) => stored<Body>(one, keys));
        return {
          documents: found.slice(0, limit),
          next: found.length > limit ? (found[limit - 1]?.id ?? null) : null,
        };
      }),
    count: (collection, { where, by }) =>
      call('count', () => {
        const counted = read(collection, [...inside(collection).keys()])
          .filter(([, { body }]) => isWanted(body, where))
          .map(([, { body }]) => by.map((path) => valueAt(body, path)));
        return [...Map.groupBy(counted, (values) => JSON.stringify(values)).values()].map((group) => ({
          values: group[0] ?? [],
          count: group.length,
        }));
      }),
    collections: () => call('collections', () => [...shared.collections.keys()].sort()),
    drop: (collection) => call('drop', () => void shared.collections.delete(collection)),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** What others read and act upon without writing to it. */
const ROLLED_BACK: ReadonlySet<string> = new Set(['notes@1', 'parked']);

function stored<Body>(
  [id, { version, body }]: readonly [string, Kept],
  keys: readonly string[] | undefined,
): Stored<Body> {
  const whole = { id, version, body };
  return (keys ? withKeys(whole, keys) : whole) as Stored<Body>;
}

/** What a document is after a write: what is not written, or said to be unchanged, it has as before. */
function textOf({ body, read, only, unchanged = [] }: Write<string>, before: Kept | undefined): string {
  if (read === null || !before) return body;
  const isKept = (key: string): boolean => (only === undefined ? unchanged.includes(key) : key !== only);
  const written = Object.entries(JSON.parse(body) as Fields).filter(([key]) => !isKept(key));
  const kept = Object.entries(before.body as Fields).filter(([key]) => isKept(key));
  return JSON.stringify(Object.fromEntries([...written, ...kept]));
}

/** What a body has at a path; null where it has nothing there. */
function valueAt(body: unknown, path: string): Scalar {
  const value = path
    .split('.')
    .reduce<unknown>((inner, name) => (inner as Fields | null)?.[name] ?? null, body);
  return value as Scalar;
}

type Fields = Readonly<Record<string, unknown>>;

/** By one value or several, or from one on. @throws {Error} where another range is asked for. */
function isWanted(body: unknown, where: Query['where']): boolean {
  return Object.entries(where).every(([path, wanted]) => isOneOf(valueAt(body, path), wanted));
}

function isOneOf(value: Scalar, wanted: Condition): boolean {
  if (!isCondition(wanted)) return value === wanted;
  if ('in' in wanted) return wanted.in.includes(value);
  const { gte, ...others } = wanted;
  if (gte === undefined || Object.keys(others).length > 0)
    throw new Error('No such range is looked for here.');
  return value !== null && value >= gte;
}

function isCondition(wanted: Condition): wanted is Exclude<Condition, Scalar> {
  return typeof wanted === 'object' && wanted !== null;
}
