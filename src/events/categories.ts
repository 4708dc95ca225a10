import type { z } from 'zod';

import type { CatalogEvent } from './event.ts';
import type { EventType } from './event-type.ts';
import { bilingual, categorySlug, object, optional, revision } from './fields.ts';

/** Categories: one taxonomy for all kinds of entries. Its tree is made from whatever parents the definitions name. */

export const CATEGORIES = 'catalog.categories';

export const categoryDefinedData = object({
  revision,
  parent: optional(categorySlug),
  title: bilingual(200),
});
export type CategoryDefinedData = z.infer<typeof categoryDefinedData>;

export const categoryRemovedData = object({ revision });
export type CategoryRemovedData = z.infer<typeof categoryRemovedData>;

export type CategoryDefined = CatalogEvent<'catalog.category.defined', CategoryDefinedData>;
export type CategoryRemoved = CatalogEvent<'catalog.category.removed', CategoryRemovedData>;
export type CategoryEvent = CategoryDefined | CategoryRemoved;

const onCategories = { topic: CATEGORIES, subject: categorySlug, upcasters: [], observedAt: null };

export const CATEGORY_TYPES: readonly EventType[] = [
  { ...onCategories, name: 'catalog.category.defined', versions: [categoryDefinedData] },
  { ...onCategories, name: 'catalog.category.removed', versions: [categoryRemovedData] },
];
