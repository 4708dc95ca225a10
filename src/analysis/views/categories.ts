import { at, column } from '../column.ts';
import { documentView, type Entry } from '../view.ts';

/** The categories that are defined; the tree follows from `parent`. */
export const categories = documentView<Entry>({
  name: 'categories',
  readModel: 'categories',
  meaning: 'A row for each category that is defined.',
  items: (entry) => (at(entry.body, 'view.defined') === true ? [entry] : []),
  columns: {
    slug: column('text', 'The category.', ({ id }) => id),
    parent: column('text', 'The slug of the category above it, as it was defined.', of('parent')),
    title_en: column('text', 'The English title.', of('title.en')),
    title_ru: column('text', 'The Russian title.', of('title.ru')),
  },
});

function of(path: string): (entry: Entry) => unknown {
  return ({ body }) => at(body, `view.${path}`);
}
