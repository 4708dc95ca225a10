import { CATEGORIES } from '../../src/events/categories.ts';
import type { Projection } from '../../src/projecting/engine/projection.ts';
import type { CategoryRegisters, CategoryView } from './document.ts';
import { contribution, documentId, registers } from './evolve.ts';

/** One document for each category slug. Readers load them all and build the taxonomy from them. */
export const categories: Projection<CategoryRegisters, CategoryView> = {
  name: 'categories',
  version: 1,
  topics: [CATEGORIES],
  registers,
  indexes: [['view.defined']],
  table: {
    name: 'categories',
    id: 'slug',
    columns: {
      defined: 'view.defined',
      parent: 'view.parent',
      title: ['view.title.en', 'view.title.ru'],
    },
  },
  documentId,
  contribution,
  view: (_slug, { definition }) =>
    definition?.value ? { defined: true, ...definition.value } : { defined: false },
  trim: (untrimmed) => untrimmed,
};
