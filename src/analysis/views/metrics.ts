import { at, column } from '../column.ts';
import { documentView } from '../sql-view.ts';

/** The audience of every published entry, day by day. */
export const metrics = documentView({
  name: 'metrics',
  readModel: 'listings',
  meaning:
    'A row for each published entry and UTC day on which it was measured: the last audience of that day, for the 90 days that end at its newest measurement.',
  items: ({ id, body }) => {
    const history = at(body, 'view.metrics.history');
    return Array.isArray(history) ? history.map((measured: unknown) => ({ id, body, measured })) : [];
  },
  columns: {
    slug: column('text', 'The entry.', 'id'),
    kind: column('text', '`channel`, `bot` or `miniapp`.', 'body.view.kind'),
    category: column('text', 'The slug of its category.', 'body.view.category'),
    day: column('day', 'The UTC day.', 'measured.day'),
    audience: column('integer', 'Subscribers of a channel, else monthly users.', 'measured.value'),
  },
});
