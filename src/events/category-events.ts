import type { z } from 'zod';

import type { CatalogEvent, EventType } from './event.ts';
import { bilingual, categorySlug, describedObject, object, optional, revision } from './fields.ts';
import texts from './field-texts.json' with { type: 'json' };

/** Categories: one taxonomy for all kinds of entries. Its tree is made from whatever parents the definitions name. */

export const CATEGORIES = 'catalog.categories';

export const categoryDefinedData = describedObject(texts.categoryDefined, {
  revision,
  parent: optional(categorySlug),
  title: bilingual(200),
});

const categoryRemovedData = object({ revision });

export type CategoryEvent =
  | CatalogEvent<'catalog.category.defined', z.infer<typeof categoryDefinedData>>
  | CatalogEvent<'catalog.category.removed', z.infer<typeof categoryRemovedData>>;

const onCategories = { topic: CATEGORIES, subject: categorySlug, upcasters: [], observedAt: null };

export const CATEGORY_TYPES: readonly EventType[] = [
  {
    ...onCategories,
    name: 'catalog.category.defined',
    versions: [categoryDefinedData],
  },
  {
    ...onCategories,
    name: 'catalog.category.removed',
    versions: [categoryRemovedData],
  },
];
