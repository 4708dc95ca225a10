import type { z } from 'zod';

import type { Instant } from '../platform/time/instant.ts';
import type { JsonObject } from '../platform/json-value.ts';

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
  /** When it happened, by its source. Carried, never used to decide which event wins. */
  readonly time: Instant;
  /**
   * SHA-256 of the canonical JSON of `{data, time}` as received (`data` brought to the newest version by upcasters
   * alone: fields that today's schema does not know are still in it). The last word of the tie rule.
   */
  readonly digest: string;
  readonly data: Data;
}

/**
 * Brings `data` from one version to the next. Pure, and given only what the older version's schema has accepted, but
 * in the form in which it came: it must keep the fields that it does not know, since the digest is taken after it.
 */
export type Upcaster = (data: JsonObject) => JsonObject;

/** A type of event as its family defines it: in which versions it may come, and what it must be like. */
export interface EventType {
  /** Without the version: `catalog.entry.published`. */
  readonly name: string;
  /** The only topic it may stand on, without the configured prefix. */
  readonly topic: string;
  /** What its subject must be; the record's key is the same. */
  readonly subject: z.ZodType<string>;
  /** The schema of `data` in each version, version 1 first. The last one makes the data that is folded. */
  readonly versions: readonly z.ZodType[];
  /** From each version to the next: always one fewer than there are versions. */
  readonly upcasters: readonly Upcaster[];
  /**
   * The field of `data` that says when something was observed, where a future one would do lasting harm. An event
   * with an observation more than a day after itself is refused.
   */
  readonly observedAt: string | null;
  /**
   * The moments that its data speaks of, by their fields, as Unix milliseconds: none may lie more than 2 minutes after
   * the arrival in the log. Absent, what was observed may lie a day after that.
   */
  readonly moments?: (data: never) => Readonly<Record<string, number>>;
}
