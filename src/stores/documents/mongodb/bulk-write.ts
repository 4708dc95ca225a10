import { type Collection, MongoBulkWriteError } from 'mongodb';

import { RetryableError } from '../../../platform/errors.ts';
import { RefusedForGood, RefusedForNow, type Version, type VersionsOptions } from '../port.ts';
import type { Change } from './changes.ts';
import { DUPLICATE_KEY, isPassing, isPermanent } from './error-codes.ts';
import type { StoredDocument } from './stored.ts';

/** @throws {RefusedForGood | RefusedForNow} where the server has refused documents for what they are, or for no reason that is known. */
export function refuse(sent: readonly Change[], failures: Answer['failures']): void {
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
export async function bulkWrite(
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
