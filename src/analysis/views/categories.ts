import { at, column } from '../column.ts';
import { documentView } from '../sql-view.ts';

/** The categories that are defined; the tree follows from `parent`. */
export const categories = documentView({
  name: 'categories',
  readModel: 'categories',
  meaning: 'A row for each category that is defined.',
  items: (entry) => (at(entry.body, 'view.defined') === true ? [entry] : []),
  columns: {
    slug: column('text', 'The category.', 'id'),
    parent: column('text', 'The slug of the category above it, as it was defined.', 'body.view.parent'),
    title_en: column('text', 'The English title.', 'body.view.title.en'),
    title_ru: column('text', 'The Russian title.', 'body.view.title.ru'),
  },
});
