import { type AnyBulkWriteOperation, BSON, type Collection, MongoBulkWriteError } from 'mongodb';

import { RetryableError } from '../../../platform/errors.ts';
import {
  RefusedForGood,
  RefusedForNow,
  type Outcome,
  type Removal,
  type Version,
  type VersionsOptions,
  type Write,
} from '../port.ts';
import { DUPLICATE_KEY, isPassing, isPermanent } from './errors.ts';
import { documentOf, type Layout, type StoredDocument } from './stored.ts';

/**
 * Guarded writes and removals as bulk writes, and what became of each.
 *
 * A document that was read as absent is inserted: a duplicate key (11000) says that it exists. Any other is replaced
 * or deleted where it still has its version, never upserted, so that what was removed does not come back. Of those
 * MongoDB tells only how many fitted: where that is fewer than were sent, the versions are read. The writer's own
 * token means done: the answer that it follows waited for a majority to have everything that stood before it, as
 * also writes do that change nothing. A document that was written by this very call and overwritten by somebody else before the
 * versions were read counts as a conflict, as after a lost answer (port.ts).
 */
export interface Change {
  readonly id: string;
  /** Null where the document was absent. */
  readonly read: Version | null;
  readonly operation: AnyBulkWriteOperation<StoredDocument>;
  readonly bytes: number;
  /** What a document of this version (undefined: none) says of the change, where the server did not say it. */
  readonly settle: (found: Version | undefined) => Outcome;
}

/** The largest document that MongoDB takes: https://www.mongodb.com/docs/manual/reference/limits/ */
const LARGEST = 16 * 1024 * 1024;
/** A body of this size may make a document that is too large; smaller ones are not measured. */
const DOUBTFUL = 2 * 1024 * 1024;

/** @throws {RefusedForGood} where the document is larger than MongoDB takes. */
export function writeChange(
  collection: string,
  { id, read, version, body }: Write<unknown>,
  layout: Layout,
): Change {
  const { document, bytes } = documentOf({ id, version, body: body as object }, layout);
  if (bytes > DOUBTFUL && BSON.calculateObjectSize(document) > LARGEST) {
    throw new RefusedForGood(
      `The document ${JSON.stringify(id)} of ${collection} is larger than the 16 MiB that MongoDB takes.`,
      [id],
    );
  }
  const { _id, ...replacement } = document;
  return {
    id,
    read,
    bytes,
    operation:
      read === null
        ? { insertOne: { document } }
        : { replaceOne: { filter: { _id, version: read }, replacement } },
    settle: (found) => (found === version ? 'done' : 'conflict'),
  };
}

export function removalChange({ id, read }: Removal): Change {
  return {
    id,
    read,
    bytes: 0,
    operation: { deleteOne: { filter: { _id: id, version: read } } },
    settle: (found) => (found === undefined ? 'done' : 'conflict'),
  };
}

/** What one bulk write carries at most; MongoDB takes 100,000 operations and 48 MB. */
const OPERATIONS = 1000;
const BYTES = 8 * 1024 * 1024;

/**
 * Changes in portions, made when they are asked for. Sorted by id: bulk writes that overlap then lock their documents
 * in one order, and none waits for another in a circle.
 */
export function* portions<Item extends { readonly id: string }>(
  items: readonly Item[],
  changeOf: (item: Item) => Change,
): Generator<readonly Change[]> {
  let portion: Change[] = [];
  let bytes = 0;
  for (const item of items.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const change = changeOf(item);
    if (portion.length === OPERATIONS || (portion.length > 0 && bytes + change.bytes > BYTES)) {
      yield portion;
      portion = [];
      bytes = 0;
    }
    portion.push(change);
    bytes += change.bytes;
  }
  if (portion.length > 0) yield portion;
}

/** Changes whose outcomes are not known yet. */
export class Pending {
  readonly outcomes = new Map<string, Outcome>();
  #open: readonly Change[];

  constructor(changes: readonly Change[]) {
    this.#open = changes;
  }

  /**
   * Sends what is open and notes its outcomes. Safe to repeat after any failure: what was applied shows its token.
   * @throws {RetryableError} where something is still open.
   * @throws {RefusedForGood | RefusedForNow} where the server refuses documents.
   */
  async send(collection: Collection<StoredDocument>): Promise<void> {
    const sent = this.#open;
    const { applied, failures } = await bulkWrite(collection, sent);
    const busy = sent.filter((_, at) => isPassing(failures.get(at)?.code ?? 0));
    refuse(sent, failures);
    const guarded = sent.filter(({ read }, at) => read !== null && !failures.has(at));
    const asked = [
      ...sent.filter((_, at) => failures.get(at)?.code === DUPLICATE_KEY),
      ...(applied < guarded.length ? guarded : []),
    ];
    const unsure = new Set([...asked, ...busy]);
    for (const change of sent) if (!unsure.has(change)) this.outcomes.set(change.id, 'done');
    const left = [...busy, ...(await this.#settle(collection, asked))];
    this.#open = left;
    if (left.length > 0) {
      throw new RetryableError(`${left.length} documents of ${collection.collectionName} were busy`);
    }
  }

  /** Answers what cannot be: not applied, and yet the version is the one that was read. It is sent again. */
  async #settle(
    collection: Collection<StoredDocument>,
    asked: readonly Change[],
  ): Promise<readonly Change[]> {
    if (asked.length === 0) return [];
    const found = await versionsOf(
      collection,
      asked.map(({ id }) => id),
    );
    return asked.filter((change) => {
      const version = found.get(change.id);
      if (version !== undefined && version === change.read) return true;
      this.outcomes.set(change.id, change.settle(version));
      return false;
    });
  }
}

/** @throws {RefusedForGood | RefusedForNow} where the server has refused documents for what they are, or for no reason that is known. */
function refuse(sent: readonly Change[], failures: Answer['failures']): void {
  const refused = [...failures].filter(([, { code }]) => code !== DUPLICATE_KEY && !isPassing(code));
  const [first] = refused;
  if (!first) return;
  const forGood = refused.filter(([, { code }]) => isPermanent(code));
  const idsAt = (some: typeof refused): readonly string[] => some.flatMap(([at]) => sent[at]?.id ?? []);
  const [[at, { code, message }]] = [forGood[0] ?? first];
  const text = `The document ${JSON.stringify(sent[at]?.id)} was refused: ${message} (code ${code})`;
  if (forGood.length > 0) throw new RefusedForGood(text, idsAt(forGood));
  throw new RefusedForNow(text, idsAt(refused));
}

export async function versionsOf(
  collection: Collection<StoredDocument>,
  ids: readonly string[],
  { durable = false }: VersionsOptions = {},
): Promise<Map<string, Version>> {
  const options = { projection: { version: 1 }, batchSize: ids.length };
  const found = await collection
    .find({ _id: { $in: ids } }, durable ? { ...options, readConcern: 'majority' } : options)
    .toArray();
  return new Map(found.map(({ _id, version }) => [_id, version]));
}

interface Answer {
  /** How many replacements and deletions found their document as it was read. */
  readonly applied: number;
  /** What was refused, by its place among the changes. */
  readonly failures: ReadonlyMap<number, { readonly code: number; readonly message: string }>;
}

/** Throws where it is unknown which of the changes were applied. */
async function bulkWrite(
  collection: Collection<StoredDocument>,
  changes: readonly Change[],
): Promise<Answer> {
  try {
    const operations = changes.map(({ operation }) => operation);
    const { matchedCount, deletedCount } = await collection.bulkWrite(operations, { ordered: false });
    return { applied: matchedCount + deletedCount, failures: new Map() };
  } catch (thrown) {
    if (!(thrown instanceof MongoBulkWriteError)) throw thrown;
    const unconfirmed = thrown.result.getWriteConcernError();
    if (unconfirmed) {
      const message = `Written, but not confirmed by a majority: ${unconfirmed.errmsg ?? 'no reason given'}`;
      throw new RetryableError(message, { cause: thrown });
    }
    const errors = [thrown.writeErrors].flat();
    if (errors.length === 0) throw thrown;
    return {
      applied: thrown.matchedCount + thrown.deletedCount,
      failures: new Map(errors.map(({ index, code, errmsg = '' }) => [index, { code, message: errmsg }])),
    };
  }
}
