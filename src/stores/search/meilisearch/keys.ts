import { digestHex } from '../../../platform/canonical.ts';

const PLAIN = /^[a-z0-9-]{1,128}$/;

/**
 * The one way in which a value comes into a filter of Meilisearch, which disregards case and accents, reads what looks like a
 * number as one, and knows no text of more than some hundred bytes: a text without quotes, capitals and spaces that is no
 * number, different for different values, however alike they are. Plain values stay readable, and keep their order. Pure.
 */
export function keyOf(value: string): string {
  return PLAIN.test(value) ? `is-${value}` : `sha-${digestHex(value)}`;
}
