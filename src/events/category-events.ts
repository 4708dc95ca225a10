import type { z } from 'zod';

import { withTexts } from '../platform/schema-field-texts.ts';
import type { CatalogEvent, EventType } from './event.ts';
import { bilingual, categorySlug, object, optional, revision } from './fields.ts';

/** Categories: one taxonomy for all kinds of entries. Its tree is made from whatever parents the definitions name. */

export const CATEGORIES = 'catalog.categories';

export const categoryDefinedData = object({
  revision,
  parent: withTexts(optional(categorySlug), {
    publishers: 'The slug of another category.',
    example: 'technology',
  }),
  title: withTexts(bilingual(200), { example: { ru: 'Наука о данных', en: 'Data science' } }),
});

const categoryRemovedData = object({ revision });

export type CategoryEvent =
  | CatalogEvent<'catalog.category.defined', z.infer<typeof categoryDefinedData>>
  | CatalogEvent<'catalog.category.removed', z.infer<typeof categoryRemovedData>>;

const onCategories = { topic: CATEGORIES, subject: categorySlug, upcasters: [], observedAt: null };

export const CATEGORY_TYPES: readonly EventType[] = [
  { ...onCategories, name: 'catalog.category.defined', versions: [categoryDefinedData] },
  { ...onCategories, name: 'catalog.category.removed', versions: [categoryRemovedData] },
];
