import { type Collection, MongoBulkWriteError } from 'mongodb';

import { RetryableError } from '../../../platform/errors.ts';
import { type Outcome, RefusedForGood, RefusedForNow, type Version, type VersionsOptions } from '../port.ts';
import type { Change } from './guarded-writes.ts';
import { DUPLICATE_KEY, PASSING, PERMANENT } from './error-codes.ts';
import type { StoredDocument } from './stored-document.ts';

/** Changes whose outcomes are not known yet. */
export function createPendingWrites(changes: readonly Change[]) {
  const outcomes = new Map<string, Outcome>();
  let open = changes;

  /** Answers what is to be sent again: not applied, and yet the version is the one that was read. */
  async function settle(collection: Collection<StoredDocument>, asked: readonly Change[]) {
    if (asked.length === 0) return [];
    const ids = asked.map(({ id }) => id);
    const found = await versionsOf(collection, ids);
    const left: Change[] = [];
    for (const change of asked) {
      const settled = change.settle(found.get(change.id));
      if (settled === 'open') left.push(change);
      else outcomes.set(change.id, settled);
    }
    return left;
  }

  return {
    outcomes,
    /**
     * Sends what is open and notes its outcomes. Safe to repeat after any failure: what was applied shows its token.
     * @throws {RetryableError} where something is still open.
     * @throws {RefusedForGood | RefusedForNow} where the server refuses documents.
     */
    send: async (collection: Collection<StoredDocument>): Promise<void> => {
      const sent = open;
      const { applied, failures } = await bulkWrite(collection, sent);
      const busy = sent.filter((_, at) => PASSING.has(failures.get(at)?.code ?? 0));
      refuse(sent, failures);
      const guarded = sent.filter(({ read }, at) => read !== null && !failures.has(at));
      const asked = [
        ...sent.filter((_, at) => failures.get(at)?.code === DUPLICATE_KEY),
        ...(applied < guarded.length ? guarded : []),
      ];
      const unsure = new Set([...asked, ...busy]);
      for (const change of sent) if (!unsure.has(change)) outcomes.set(change.id, 'done');
      open = [...busy, ...(await settle(collection, asked))];
      if (open.length > 0)
        throw new RetryableError(`${open.length} documents of ${collection.collectionName} were busy`);
    },
  };
}

/** What was refused, by its place among the changes. */
type Failures = ReadonlyMap<number, { readonly code: number; readonly message: string }>;

/**
 * Says how many replacements and deletions found their document as it was read, and what was refused. Throws where it is
 * unknown which of the changes were applied.
 */
async function bulkWrite(collection: Collection<StoredDocument>, changes: readonly Change[]) {
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

/** @throws {RefusedForGood | RefusedForNow} where the server has refused documents for what they are, or for no reason that is known. */
function refuse(sent: readonly Change[], failures: Failures): void {
  const refused = [...failures].filter(([, { code }]) => code !== DUPLICATE_KEY && !PASSING.has(code));
  const [first] = refused;
  if (!first) return;
  const forGood = refused.filter(([, { code }]) => PERMANENT.has(code));
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
