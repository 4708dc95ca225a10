import { instantAt, type Instant } from '../../platform/time/instant.ts';
import { endOf, isActive, PLACES, type KeysChange, type KeyRecord } from './account-document.ts';

/** What becomes of an account's keys when one is added: alone, or in the place of another one. */

/** A key that has no place yet. */
export type NewKey = Omit<KeyRecord, 'place'>;

export interface KeyLimit {
  readonly outcome: 'limit_reached';
}

export interface NewKeyRecord {
  readonly outcome: 'added';
  /** As it is listed. */
  readonly record: KeyRecord;
}

export type ReplaceRefusal =
  | KeyLimit
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'ended'; readonly endedAt: Instant }
  /** Another key takes its place already. */
  | { readonly outcome: 'expiring'; readonly expiresAt: Instant };

/** `now` is the store's time, Unix milliseconds, here and below. */
export function addKey(
  keys: readonly KeyRecord[],
  fresh: NewKey,
  now: number,
): KeysChange<NewKeyRecord | KeyLimit> {
  if (isFull(keys, now)) return { keys: null, result: LIMIT_REACHED };
  return added(keys, fresh, freePlace(keys, now));
}

/**
 * The new key and the end of the old one, `id`, after `overlapMs`, 0 for at once: one change, so that no crash leaves the one
 * without the other. What is left of the day is left to both. The label is that of the old one where the new one has none.
 */
export function replaceKey(
  keys: readonly KeyRecord[],
  fresh: NewKey,
  now: number,
  { id, overlapMs }: { readonly id: string; readonly overlapMs: number },
): KeysChange<NewKeyRecord | ReplaceRefusal> {
  const old = keys.find((key) => key.id === id);
  if (!old) return { keys: null, result: { outcome: 'unknown' } };
  const refusal = refuse(old, now);
  if (refusal) return { keys: null, result: refusal };
  // An end by the clock could be undone by setting it back, so what is to end at once is revoked.
  const end = instantAt(now + overlapMs);
  const ending: KeyRecord = overlapMs === 0 ? { ...old, revoked_at: end } : { ...old, expires_at: end };
  const rest = keys.map((key) => (key === old ? ending : key));
  if (isFull(rest, now)) return { keys: null, result: LIMIT_REACHED };
  return added(rest, { ...fresh, label: fresh.label ?? old.label }, old.place);
}

function added(keys: readonly KeyRecord[], fresh: NewKey, place: number): KeysChange<NewKeyRecord> {
  const record: KeyRecord = { ...fresh, place };
  return { keys: [...keys, record], result: { outcome: 'added', record } };
}

const LIMIT_REACHED: KeyLimit = { outcome: 'limit_reached' };

function isFull(keys: readonly KeyRecord[], now: number): boolean {
  return keys.filter((key) => isActive(key, now)).length >= PLACES;
}

/**
 * The place for one more key: of those where no key is active, the one that was left last. So a key that is made after
 * another one was revoked goes on with that one's day. Where none was left, the first that was never taken. There is
 * one, because fewer keys are active than there are places.
 */
function freePlace(keys: readonly KeyRecord[], now: number): number {
  const taken = new Set(keys.filter((key) => isActive(key, now)).map(({ place }) => place));
  const places = Array.from({ length: PLACES }, (_, index) => index + 1).filter((place) => !taken.has(place));
  const leftAt = (place: number): Instant => {
    const ends = keys.filter((key) => key.place === place).map(endOf);
    return ends.toSorted().at(-1) ?? '';
  };
  return places.reduce((best, place) => (leftAt(place) > leftAt(best) ? place : best));
}

function refuse(old: KeyRecord, now: number): ReplaceRefusal | null {
  const end = endOf(old);
  if (end === '') return null;
  return isActive(old, now) ? { outcome: 'expiring', expiresAt: end } : { outcome: 'ended', endedAt: end };
}
