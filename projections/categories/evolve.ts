import type { CategoryEvent } from '../../src/events/categories.ts';
import { lastWriterWins, record, shortDigest, type Register } from '../../src/projecting/engine/register.ts';
import type { CategoryRegisters, Definition } from './document.ts';

/** How a category's events become registers. */

export const registers: Register<CategoryRegisters> = record<CategoryRegisters>({
  definition: lastWriterWins<Definition>(),
});

/** The slug of the category that an event is about; null where the event is none of a category's. */
export function documentId(event: CategoryEvent): string | null {
  switch (event.type) {
    case 'catalog.category.defined':
    case 'catalog.category.removed':
      return event.subject;
    default:
      return null;
  }
}

/** The registers of a category of which nothing but this event is known. */
export function contribution(event: CategoryEvent): CategoryRegisters {
  const digest = shortDigest(event.digest);
  if (event.type === 'catalog.category.removed') {
    return { definition: { at: event.data.revision, digest, value: null } };
  }
  const { revision: at, ...value } = event.data;
  return { definition: { at, digest, value } };
}
