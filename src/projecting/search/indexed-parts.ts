import type { ReadOptions } from '../../stores/documents/port.ts';
import { MARK_KEY } from '../../stores/outbox.ts';
import type { ReadModelDocument } from '../engine/projection.ts';

/** What of a document says what the index is to hold of it, and still has to be told: the rest, often the larger part, is left where it is. */
export type IndexedParts = Pick<ReadModelDocument, 'view' | 'dirty'>;
export const INDEXED_PARTS: ReadOptions = { keys: ['view', MARK_KEY] satisfies (keyof IndexedParts)[] };
