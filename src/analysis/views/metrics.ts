import { at, column } from '../column.ts';
import { documentView, type Entry } from '../view.ts';

interface Day {
  readonly entry: Entry;
  readonly day: unknown;
}

/** The audience of every published entry, day by day. */
export const metrics = documentView<Day>({
  name: 'metrics',
  readModel: 'listings',
  meaning:
    'A row for each published entry and UTC day on which it was measured: the last audience of that day, for the 90 days that end at its newest measurement.',
  items: (entry) => daysOf(entry),
  columns: {
    slug: column('text', 'The entry.', ({ entry }) => entry.id),
    kind: column('text', '`channel`, `bot` or `miniapp`.', of('kind')),
    category: column('text', 'The slug of its category.', of('category')),
    day: column('day', 'The UTC day.', ({ day }) => at(day, 'day')),
    audience: column('integer', 'Subscribers of a channel, else monthly users.', ({ day }) =>
      at(day, 'value'),
    ),
  },
});

function daysOf(entry: Entry): readonly Day[] {
  const history = at(entry.body, 'view.metrics.history');
  return Array.isArray(history) ? history.map((day: unknown) => ({ entry, day })) : [];
}

function of(path: string): (day: Day) => unknown {
  return ({ entry }) => at(entry.body, `view.${path}`);
}
