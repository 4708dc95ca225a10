import {
  content,
  type ChannelMetrics,
  type Content,
  type PublishedView,
} from '../../../projections/listings/document.ts';
import { scoreOf } from '../../../projections/listings/score.ts';
import { exampleOf } from '../../platform/schema-field-texts.ts';
import { buildTaxonomy } from '../reading/build-taxonomy.ts';
import type { PublishedListing } from '../reading/listings.ts';

/** The entry and the categories of which the examples of all answers are made. */

const CONTENT: Content = {
  // The fields' own examples make a whole entry.
  ...(exampleOf(content) as Content),
  // It is shown with fields that are null, too.
  summary: { ru: 'Что нового в машинном обучении.', en: 'What is new in machine learning.' },
  description: null,
  tags: ['ml'],
  country: null,
  image_url: null,
  page_url: 'https://example.org/ai-news',
  links: [{ rel: 'website', url: 'https://example.org/' }],
  published_at: '2026-01-01T09:58:00.000Z',
};

const METRICS: ChannelMetrics = {
  measured_at: '2026-02-01T03:04:05.000Z',
  subscribers: 182_400,
  avg_views: 41_000,
  avg_views_24h: 38_000,
  er_pct: 3.1,
  posts_per_week: 24,
  mentions_30d: 310,
  err_pct: 22.5,
  growth: {
    d1: { abs: 120, pct: 0.07 },
    d7: null,
    d30: { abs: 2_400, pct: 1.33 },
  },
  history: [
    { day: '2026-01-02', value: 180_000 },
    { day: '2026-01-31', value: 182_280 },
    { day: '2026-02-01', value: 182_400 },
  ],
};

const VIEW: PublishedView = {
  ...CONTENT,
  kind: 'channel',
  published: true,
  updated_at: METRICS.measured_at,
  audience: { value: METRICS.subscribers, unit: 'subscribers' },
  metrics: METRICS,
  score: scoreOf(CONTENT, { kind: 'channel', metrics: METRICS }),
};

export const ENTRY: PublishedListing = { id: 'ai-news', version: '', view: VIEW };

export const TAXONOMY = buildTaxonomy([
  {
    slug: 'technology',
    view: { defined: true, parent: null, title: { ru: 'Технологии', en: 'Technology' } },
  },
  {
    slug: 'data-science',
    view: { defined: true, parent: 'technology', title: { ru: 'Наука о данных', en: 'Data science' } },
  },
]);
