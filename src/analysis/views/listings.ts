import { at, column } from '../column.ts';
import { documentView, type Entry } from '../view.ts';

const text = (path: string, meaning: string) => column('text', meaning, from(path));
const number = (path: string, meaning: string) => column('number', meaning, from(path));
const integer = (path: string, meaning: string) => column('integer', meaning, from(path));
const time = (path: string, meaning: string) => column('time', meaning, from(path));

/** The entries that readers see, with the fields that analysts ask for most; the rest stands in `view`. */
export const listings = documentView<Entry>({
  name: 'listings',
  readModel: 'listings',
  meaning: 'A row for each published entry, as readers see it now.',
  items: (entry) => (at(entry.body, 'view.published') === true ? [entry] : []),
  columns: {
    slug: column('text', 'The entry.', ({ id }) => id),
    kind: text('kind', '`channel`, `bot` or `miniapp`.'),
    subtype: text('subtype', 'Of a channel: `broadcast` or `group`.'),
    username: text('username', 'On the platform, without the @.'),
    title_en: text('title.en', 'The English title.'),
    title_ru: text('title.ru', 'The Russian title.'),
    category: text('category', 'The slug of its category.'),
    tags: column('texts', 'Its tags.', from('tags')),
    language: text('language', 'The main language, BCP 47.'),
    country: text('country', 'ISO 3166-1 alpha-2.'),
    verified: column('boolean', 'Whether the platform has verified it.', from('verified')),
    flags: column('texts', 'Warnings, such as `scam`.', from('flags')),
    published_at: time('published_at', 'When it was published in the catalog.'),
    updated_at: time('updated_at', 'The later of the last publication and the last measurement.'),
    audience: integer('audience.value', 'How many people it reaches.'),
    audience_unit: text('audience.unit', '`subscribers` or `monthly_users`.'),
    score: number('score.value', 'From 0 to 100.'),
    score_preliminary: column(
      'boolean',
      'Whether too little is known yet for a final score.',
      from('score.preliminary'),
    ),
    score_coverage: number('score.coverage', 'The share of the weights whose input is known, 0 to 1.'),
    score_formula: text('score.formula', 'The version of the formula.'),
    measured_at: time('metrics.measured_at', 'When its newest numbers were taken.'),
    growth_1d: integer('metrics.growth.d1.abs', 'Change of the audience over a day.'),
    growth_7d: integer('metrics.growth.d7.abs', 'Over 7 days.'),
    growth_30d: integer('metrics.growth.d30.abs', 'Over 30 days.'),
    growth_30d_pct: number('metrics.growth.d30.pct', 'Over 30 days, in percent.'),
    avg_views: number('metrics.avg_views', 'Of a channel: average views of a post.'),
    er_pct: number('metrics.er_pct', 'Of a channel: reactions to views, in percent.'),
    err_pct: number('metrics.err_pct', 'Of a channel: average views to subscribers, in percent.'),
    posts_per_week: number('metrics.posts_per_week', 'Of a channel.'),
    mentions_30d: integer('metrics.mentions_30d', 'Mentions in 30 days.'),
    rating: column('json', 'Of a bot or mini app: its rating, as it was measured.', from('metrics.rating')),
    view: column('json', 'Everything that readers see of it, as it is stored.', ({ body }) =>
      at(body, 'view'),
    ),
  },
});

/** A field of what readers see. */
function from(path: string): (entry: Entry) => unknown {
  return ({ body }) => at(body, `view.${path}`);
}
