import { buildTaxonomy } from '../reading/category-tree.ts';
import type { ChannelMetrics, Content, PublishedView } from '../../../projections/listings/document.ts';
import { scoreOf } from '../../../projections/listings/score.ts';
import type { Locale } from '../messages/texts.ts';
import { presentCategories, presentListing, presentSearch, presentTop } from '../presenting.ts';
import type { PublishedListing } from '../reading/listings.ts';
import type { Operation } from '../route.ts';
import type { Listing } from '../schemas.ts';
import { exampleStatus } from './example-status.ts';

/** One body of each operation for the OpenAPI document, made by the code that makes the answers. */
export function exampleBody(operation: Operation, locale: Locale): object {
  switch (operation) {
    case 'searchListings':
      return presentSearch(FOUND, locale, TAXONOMY, 'https://catalog.example.org/api/v1/search');
    case 'getListing':
      return exampleListing(locale);
    case 'getTop':
      return presentTop({ entries: [ENTRY], total: 143, filter: FILTER }, locale, TAXONOMY);
    case 'listCategories':
      return presentCategories(TAXONOMY, COUNTS, locale);
    case 'getStatus':
    case 'getPublicStatus':
      return exampleStatus();
    case 'getOpenApi':
      return { openapi: '3.1.0' };
  }
}

export function exampleListing(locale: Locale): Listing {
  return presentListing(ENTRY, locale, TAXONOMY);
}

/** What to ask to be answered with these bodies. */
export function exampleParameters(): Readonly<Record<string, string>> {
  return { q: FOUND.asked.q, slug: ENTRY.id };
}

const CONTENT: Content = {
  kind: 'channel',
  subtype: 'broadcast',
  username: 'ai_news',
  title: { ru: 'Новости ИИ', en: 'AI News' },
  summary: { ru: 'Что нового в машинном обучении.', en: 'What is new in machine learning.' },
  description: null,
  category: 'data-science',
  tags: ['ml'],
  language: 'en',
  country: null,
  verified: true,
  flags: [],
  image_url: null,
  page_url: 'https://example.org/ai-news',
  open_url: 'https://t.me/ai_news',
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

const ENTRY: PublishedListing = { id: 'ai-news', version: '', view: VIEW };

const TAXONOMY = buildTaxonomy([
  {
    slug: 'technology',
    view: { defined: true, parent: null, title: { ru: 'Технологии', en: 'Technology' } },
  },
  {
    slug: 'data-science',
    view: { defined: true, parent: 'technology', title: { ru: 'Наука о данных', en: 'Data science' } },
  },
]);

const COUNTS = [
  { kind: 'channel', category: 'technology', count: 40 },
  { kind: 'channel', category: 'data-science', count: 103 },
  { kind: 'bot', category: null, count: 12 },
] as const;

const FOUND = {
  entries: [ENTRY],
  total: 143,
  totalIsExact: true,
  asked: { q: 'ai', kind: null, category: null, page: 2, limit: 1 },
} as const;

const FILTER = { kind: 'channel', category: 'technology', limit: 1 } as const;
