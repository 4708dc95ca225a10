import type { CollectionSpec } from '../../stores/documents/port.ts';

/** One document for each place of an account and UTC day: `2026-11-20/acme/1`. */
export const QUOTA: CollectionSpec = { name: 'quota', indexes: [['place', '-day']] };

/**
 * What each writer (a process, under a random name of its own) says of a day. Only the writer changes its own part, so
 * reading the document tells a writer whether a write of its own was applied, whoever has written since.
 */
export interface QuotaDay {
  /** `acme/1`. */
  readonly place: string;
  readonly day: string;
  /**
   * Each writer's share: the requests that it has granted, and those that it holds unspent, in advance. What is taken of
   * the day is the sum of the shares.
   */
  readonly shares: Readonly<Record<string, number>>;
  /** What each writer has granted to whom, as far as it was known when that writer wrote last. */
  readonly uses: Readonly<Record<string, KeyUses>>;
  /** Whether little was left once: from then on nobody holds anything, and everybody counts one by one. */
  readonly isNearlyFull?: true;
}

/** By the id of the key: its requests, and the minute of the day, 0 to 1439, in which it was counted last. */
export type KeyUses = Readonly<Record<string, readonly [requests: number, minute: number]>>;

export function idOf({ day, place }: Pick<QuotaDay, 'day' | 'place'>): string {
  return `${day}/${place}`;
}

/** With requests of a key in a minute of the day. */
export function withUse(uses: KeyUses, keyId: string, minute: number, requests: number): KeyUses {
  const [known, last] = uses[keyId] ?? [0, 0];
  return { ...uses, [keyId]: [known + requests, Math.max(last, minute)] };
}
