import type { Instant } from '../platform/instant.ts';

/**
 * One event as the fold sees it: valid, of the newest version of its type, text in NFC, instants in UTC.
 */
export interface CatalogEvent<Type extends string = string, Data = unknown> {
  /** The type without its version: `catalog.entry.published`. */
  readonly type: Type;
  readonly id: string;
  readonly source: string;
  /** What the event is about: the key of its record. */
  readonly subject: string;
  /** When it happened, by its source. Carried, never used to decide anything. */
  readonly time: Instant;
  /**
   * SHA-256 of the canonical JSON of `{data, time}` as received (`data` brought to the newest version by upcasters
   * alone: fields that today's schema does not know are still in it). The last word of the tie rule.
   */
  readonly digest: string;
  readonly data: Data;
}
