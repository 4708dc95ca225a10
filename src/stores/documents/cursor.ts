import { PermanentError } from '../../platform/errors.ts';
import { isScalar } from './checks.ts';
import type { Cursor, Query, Scalar } from './port.ts';

/** Where a page ended: the last document's values of the order's paths, and its id. */
export interface Place {
  readonly values: readonly Scalar[];
  readonly id: string;
}

/** The cursor of a place: base64url of a JSON list. It carries the order, which it belongs to. */
export function encodeCursor(order: Query['order'], { values, id }: Place): Cursor {
  return Buffer.from(JSON.stringify([order, values, id])).toString('base64url');
}

/** @throws {PermanentError} where the text is no cursor, or one of another order. */
export function decodeCursor(order: Query['order'], cursor: Cursor): Place {
  const [itsOrder, values, id, ...rest] = listIn(cursor);
  const fits =
    JSON.stringify(itsOrder) === JSON.stringify(order) &&
    Array.isArray(values) &&
    values.length === order.length &&
    values.every(isScalar) &&
    typeof id === 'string' &&
    rest.length === 0;
  if (!fits) throw new PermanentError('The cursor belongs to no page of this query.');
  return { values, id };
}

function listIn(cursor: Cursor): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch (cause) {
    throw new PermanentError('The cursor is damaged.', { cause });
  }
}
