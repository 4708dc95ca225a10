import { at, column, documentView } from '../sql-view.ts';

/** The entries that readers see, with the fields that analysts ask for most; the rest stands in `view`. */
export const listings = documentView({
  name: 'listings',
  readModel: 'listings',
  meaning: 'A row for each published entry, as readers see it now.',
  items: ({ id, body }) => (at(body, 'view.published') === true ? [{ id, view: at(body, 'view') }] : []),
  columns: {
    slug: column('text', 'The entry.', 'id'),
    kind: column('text', '`channel`, `bot` or `miniapp`.', 'view.kind'),
    subtype: column('text', 'Of a channel: `broadcast` or `group`.', 'view.subtype'),
    username: column('text', 'On the platform, without the @.', 'view.username'),
    title_en: column('text', 'The English title.', 'view.title.en'),
    title_ru: column('text', 'The Russian title.', 'view.title.ru'),
    category: column('text', 'The slug of its category.', 'view.category'),
    tags: column('texts', 'Its tags.', 'view.tags'),
    language: column('text', 'The main language, BCP 47.', 'view.language'),
    country: column('text', 'ISO 3166-1 alpha-2.', 'view.country'),
    verified: column('boolean', 'Whether the platform has verified it.', 'view.verified'),
    flags: column('texts', 'Warnings, such as `scam`.', 'view.flags'),
    published_at: column('time', 'When it was published in the catalog.', 'view.published_at'),
    updated_at: column(
      'time',
      'The later of the last publication and the last measurement.',
      'view.updated_at',
    ),
    audience: column('integer', 'How many people it reaches.', 'view.audience.value'),
    audience_unit: column('text', '`subscribers` or `monthly_users`.', 'view.audience.unit'),
    score: column('number', 'From 0 to 100.', 'view.score.value'),
    score_preliminary: column(
      'boolean',
      'Whether too little is known yet for a final score.',
      'view.score.preliminary',
    ),
    score_coverage: column(
      'number',
      'The share of the weights whose input is known, 0 to 1.',
      'view.score.coverage',
    ),
    score_formula: column('text', 'The version of the formula.', 'view.score.formula'),
    measured_at: column('time', 'When its newest numbers were taken.', 'view.metrics.measured_at'),
    growth_1d: column('integer', 'Change of the audience over a day.', 'view.metrics.growth.d1.abs'),
    growth_7d: column('integer', 'Over 7 days.', 'view.metrics.growth.d7.abs'),
    growth_30d: column('integer', 'Over 30 days.', 'view.metrics.growth.d30.abs'),
    growth_30d_pct: column('number', 'Over 30 days, in percent.', 'view.metrics.growth.d30.pct'),
    avg_views: column('number', 'Of a channel: average views of a post.', 'view.metrics.avg_views'),
    er_pct: column('number', 'Of a channel: reactions to views, in percent.', 'view.metrics.er_pct'),
    err_pct: column(
      'number',
      'Of a channel: average views to subscribers, in percent.',
      'view.metrics.err_pct',
    ),
    posts_per_week: column('number', 'Of a channel.', 'view.metrics.posts_per_week'),
    mentions_30d: column('integer', 'Mentions in 30 days.', 'view.metrics.mentions_30d'),
    rating: column('json', 'Of a bot or mini app: its rating, as it was measured.', 'view.metrics.rating'),
    view: column('json', 'Everything that readers see of it, as it is stored.'),
  },
});

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
