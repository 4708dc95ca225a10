import { categories } from '../../projections/categories/index.ts';
import { PROJECTIONS } from '../../projections/index.ts';
import { listings } from '../../projections/listings/index.ts';
import { monitor } from '../../projections/monitor/index.ts';
import { collectionOf } from '../../src/projecting/engine/projection.ts';

/**
 * What this release calls the collections of its read models: their indexes, lanes and groups have the same names. Tests
 * take them from here, so that a version rises without them.
 */
export const LISTINGS = collectionOf(listings);
export const CATEGORIES = collectionOf(categories);
export const MONITOR = collectionOf(monitor);

/** What the next release would call its listings. */
export const NEXT_LISTINGS = collectionOf({ ...listings, version: listings.version + 1 });

/** Those of all read models. */
export const COLLECTIONS: readonly string[] = PROJECTIONS.map(collectionOf);

/** Those of all read models that are made of a topic: each has lanes on it, and parks what it cannot use. */
export function readersOf(topic: string): readonly string[] {
  return PROJECTIONS.filter(({ topics }) => topics.includes(topic)).map(collectionOf);
}
