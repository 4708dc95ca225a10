import type { CollectionSpec } from '../../stores/documents/port.ts';

/**
 * Pointers, by a key's digest: from it to the account that may list it. A pointer opens nothing by itself, so it is written
 * before the account and removed after it: a crash in between leaves a pointer to nothing, never a key without a
 * pointer, and never a place taken among an account's keys.
 */
export const KEYS: CollectionSpec = { name: 'keys', indexes: [['key_id']] };

export interface Pointer {
  readonly key_id: string;
  readonly account: string;
}
