import type { z } from 'zod';

import { withTexts } from '../platform/field-texts.ts';
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

/** The source and the subject of the examples. */
const DATA_SCIENCE = { source: '/catalog/editor', subject: 'data-science' } as const;

export const CATEGORY_TYPES: readonly EventType[] = [
  {
    ...onCategories,
    name: 'catalog.category.defined',
    versions: [categoryDefinedData],
    summary:
      'A category, with its place in the taxonomy. A parent that is unknown, removed or part of a cycle makes it a root.',
    example: {
      id: 'category-data-science-3',
      ...DATA_SCIENCE,
      time: '2026-10-01T12:00:00Z',
      data: { revision: 3 },
    },
  },
  {
    ...onCategories,
    name: 'catalog.category.removed',
    versions: [categoryRemovedData],
    summary: 'A category is no longer defined. At the same revision this beats the definition.',
    example: {
      id: 'category-data-science-4',
      ...DATA_SCIENCE,
      time: '2026-11-01T12:00:00Z',
      data: { revision: 4 },
    },
  },
];
