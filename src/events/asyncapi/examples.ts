import type { CloudEvent } from '../envelope.ts';
import type { RejectedData } from '../rejected.ts';

/** One event of each type, in the structured mode; docs/reference/events.md shows the same. */
export const EXAMPLES: readonly CloudEvent[] = [
  {
    specversion: '1.0',
    id: '0199f0a2-7c1e-7e0a-9d53-2f6f1f0b6a11',
    source: '/catalog/editor',
    type: 'catalog.entry.published.v1',
    subject: 'ai-news',
    time: '2026-11-20T10:00:00Z',
    datacontenttype: 'application/json',
    data: {
      revision: 7,
      kind: 'channel',
      subtype: 'broadcast',
      username: 'ai_news',
      title: {
        ru: 'Новости ИИ',
        en: 'AI News',
      },
      summary: {
        en: 'What happened in machine learning, daily.',
      },
      description: {
        en: 'Papers, releases and jobs.\nIn English.',
      },
      category: 'data-science',
      tags: ['ml', 'news'],
      language: 'en',
      country: 'RU',
      verified: true,
      flags: [],
      image_url: 'https://img.example.org/ai-news.jpg',
      page_url: 'https://catalog.example.org/ai-news',
      open_url: 'https://t.me/ai_news',
      links: [
        {
          rel: 'website',
          url: 'https://ai-news.example.org/',
        },
      ],
      published_at: '2026-11-20T09:58:00Z',
    },
  },
  {
    specversion: '1.0',
    id: '0199f0a2-7c1e-7e0a-9d53-2f6f1f0b6a12',
    source: '/catalog/editor',
    type: 'catalog.entry.unpublished.v1',
    subject: 'ai-news',
    time: '2026-11-21T08:30:00+03:00',
    data: {
      revision: 8,
      reason: 'owner_request',
    },
  },
  {
    specversion: '1.0',
    id: 'measure-2026-11-20-ai-news',
    source: '/catalog/metrics',
    type: 'catalog.entry.measured.v1',
    subject: 'ai-news',
    time: '2026-11-20T06:00:05Z',
    data: {
      measured_at: '2026-11-20T06:00:00Z',
      kind: 'channel',
      subscribers: 48210,
      avg_views: 9120.5,
      avg_views_24h: 7044,
      er_pct: 4.31,
      posts_per_week: 11.5,
      mentions_30d: 37,
    },
  },
  {
    specversion: '1.0',
    id: 'category-data-science-3',
    source: '/catalog/editor',
    type: 'catalog.category.defined.v1',
    subject: 'data-science',
    time: '2026-10-01T12:00:00Z',
    data: {
      revision: 3,
      parent: 'technology',
      title: {
        ru: 'Наука о данных',
        en: 'Data science',
      },
    },
  },
  {
    specversion: '1.0',
    id: 'category-data-science-4',
    source: '/catalog/editor',
    type: 'catalog.category.removed.v1',
    subject: 'data-science',
    time: '2026-11-01T12:00:00Z',
    data: {
      revision: 4,
    },
  },
  {
    specversion: '1.0',
    id: 'target-bot_api-1',
    source: '/monitor/config',
    type: 'monitor.target.defined.v1',
    subject: 'bot_api',
    time: '2026-10-01T12:00:00Z',
    data: {
      revision: 1,
      name: {
        ru: 'Bot API',
        en: 'Bot API',
      },
      critical: true,
      slow_ms: 2000,
    },
  },
  {
    specversion: '1.0',
    id: 'target-bot_api-2',
    source: '/monitor/config',
    type: 'monitor.target.removed.v1',
    subject: 'bot_api',
    time: '2026-11-01T12:00:00Z',
    data: {
      revision: 2,
    },
  },
  {
    specversion: '1.0',
    id: 'bot_api/eu-1/29919480',
    source: '/monitor/prober/eu-1',
    type: 'monitor.probe.completed.v1',
    subject: 'bot_api',
    time: '2026-11-20T10:00:08Z',
    data: {
      vantage_point: 'eu-1',
      round: 29919480,
      checked_at: '2026-11-20T10:00:07.250Z',
      result: 'slow',
      latency_ms: 2310.4,
      cause: null,
      attempts: 2,
    },
  },
];

/** What upstream is told of an event with a revision that is none. */
const REFUSED = {
  code: 'bad_data',
  reason: 'data.revision: expected an integer from 1 to 9007199254740991, got "x"',
  id: '0199f0a2-7c1e-7e0a-9d53-2f6f1f0b6a11',
  source: '/catalog/editor',
  type: 'catalog.entry.published.v1',
  subject: 'ai-news',
  read_model: 'listings@1',
  topic: 'catalog.entries',
  partition: 3,
  position: 1204,
} satisfies RejectedData;

export const REJECTED_EXAMPLE: CloudEvent = {
  specversion: '1.0',
  id: 'listings@1/catalog.entries/3/1204',
  source: '/catalog-read-api',
  type: 'catalog.event.rejected.v1',
  subject: '/catalog/editor',
  time: '2026-11-20T10:00:01.250Z',
  datacontenttype: 'application/json',
  data: { ...REFUSED },
};
