import { PermanentError } from '../../platform/errors.ts';
import { isJsonObject } from '../../platform/json-value.ts';
import type { Scalar, Write } from './port.ts';

/** What every adapter accepts in one call: the same on every store. Each check throws a PermanentError. */

const ID_BYTES = 512;

/** Whether a document may have this id: 1 to 512 bytes of well-formed text. */
export function isId(id: string): boolean {
  return id.length > 0 && id.isWellFormed() && Buffer.byteLength(id) <= ID_BYTES;
}

export function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

export function checkWrites(writes: readonly Write<unknown>[]): void {
  checkIds(writes);
  for (const { id, body } of writes) {
    if (!isJsonObject(body)) throw new PermanentError(`The body of ${id} is no JSON object.`);
  }
}

/** A key that is written alone is one that an index of the collection begins with. */
export function checkOnly({ id, only }: Write<unknown>, keys: Iterable<string>): void {
  if (only === undefined || [...keys].includes(only)) return;
  throw new PermanentError(`${only} of ${id} cannot be written alone: no index begins with it.`);
}

/** What one call writes or removes: each id once. */
export function checkIds(changes: readonly { readonly id: string }[]): void {
  const seen = new Set<string>();
  for (const { id } of changes) {
    if (!isId(id)) {
      throw new PermanentError(
        `${JSON.stringify(id.slice(0, 100))} is no id: 1 to ${ID_BYTES} bytes of well-formed text.`,
      );
    }
    if (seen.has(id)) throw new PermanentError(`The id ${JSON.stringify(id)} is twice in one call.`);
    seen.add(id);
  }
}

/** @throws {PermanentError} where a page's limit is no whole number from 1. */
export function checkLimit(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 1) {
    throw new PermanentError(`A limit of ${limit} documents: a whole number from 1 is accepted.`);
  }
}
