import { CATEGORIES, type CategoryEvent } from '../../src/events/category-events.ts';
import type { Projection } from '../../src/projecting/engine/projection.ts';
import { lastWriterWins, record, shortDigest } from '../../src/projecting/engine/register.ts';
import type { CategoryRegisters, CategoryView, Definition } from './document.ts';

const registers = record<CategoryRegisters>({
  definition: lastWriterWins<Definition>(),
});

/** One document for each category slug. Readers load them all and build the taxonomy from them. */
export const categories: Projection<CategoryRegisters, CategoryView> = {
  name: 'categories',
  version: 1,
  topics: [CATEGORIES],
  registers,
  indexes: [['view.defined']],
  documentId,
  contribution,
  view: (_slug, { definition }) =>
    definition?.value ? { defined: true, ...definition.value } : { defined: false },
  trim: (untrimmed) => untrimmed,
};

/** The slug of the category that an event is about; null where the event is none of a category's. */
function documentId(event: CategoryEvent): string | null {
  switch (event.type) {
    case 'catalog.category.defined':
    case 'catalog.category.removed':
      return event.subject;
    default:
      return null;
  }
}

/** The registers of a category of which nothing but this event is known. */
function contribution(event: CategoryEvent): CategoryRegisters {
  const digest = shortDigest(event.digest);
  if (event.type === 'catalog.category.removed') {
    return { definition: { at: event.data.revision, digest, value: null } };
  }
  const { revision: at, ...value } = event.data;
  return { definition: { at, digest, value } };
}
