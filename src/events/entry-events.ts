import type { z } from 'zod';

import { withTexts } from '../platform/schema-field-texts.ts';
import type { CatalogEvent, EventType } from './event.ts';
import {
  categorySlug,
  country,
  flag,
  flagName,
  httpsUrl,
  instant,
  kind,
  language,
  list,
  localized,
  object,
  oneOf,
  openUrl,
  optional,
  revision,
  slug,
  text,
  username,
} from './fields.ts';

/** Entries: what is published under a slug, and that it no longer is. Both share one sequence of revisions. */

export const ENTRIES = 'catalog.entries';

/**
 * What an entry shows. Documents are made of these fields, and readers are told of them in these words: to add one, it
 * is declared here, and the read model gets a new version (projections/listings/index.ts).
 */
export const publishedData = object({
  revision,
  kind: withTexts(kind, { example: 'channel' }),
  subtype: withTexts(optional(oneOf(['broadcast', 'group'])), {
    en: 'Of a channel: broadcast, or a group chat; null for bots and mini apps.',
    ru: 'Для канала: broadcast — канал, group — групповой чат; у ботов и мини-приложений null.',
    publishers: 'Of a channel alone.',
    example: 'broadcast',
  }),
  username: withTexts(username, {
    en: 'On the platform, without the @.',
    ru: 'Имя на платформе, без @.',
    example: 'ai_news',
  }),
  title: withTexts(localized(200, { isName: true }), {
    en: 'In the language asked for, or in the other one.',
    ru: 'На запрошенном языке, а если его нет — на другом.',
    publishers: null,
    example: { ru: 'Новости ИИ', en: 'AI News' },
  }),
  summary: withTexts(optional(localized(500)), {
    en: 'A sentence about the entry.',
    ru: 'Одно предложение о записи.',
    publishers: null,
    example: { en: 'What happened in machine learning, daily.' },
  }),
  description: withTexts(optional(localized(5000, { lineFeeds: true })), {
    example: { en: 'Papers, releases and jobs.\nIn English.' },
  }),
  category: withTexts(optional(categorySlug), {
    en: 'Where the entry stands in the catalog.',
    ru: 'Место записи в каталоге.',
    publishers: 'The slug of a category.',
    example: 'data-science',
  }),
  tags: withTexts(list(text(50)), { example: ['ml', 'news'] }),
  language: withTexts(optional(language), {
    en: 'The main language of the entry, BCP 47.',
    ru: 'Основной язык записи, BCP 47.',
    publishers: 'BCP 47.',
    example: 'en',
  }),
  country: withTexts(optional(country), {
    en: 'ISO 3166-1 alpha-2.',
    ru: 'ISO 3166-1 alpha-2.',
    example: 'RU',
  }),
  verified: withTexts(flag, {
    en: 'Whether the platform has verified it.',
    ru: 'Подтверждена ли платформой.',
    publishers: null,
    example: true,
  }),
  flags: withTexts(list(flagName), {
    en: 'Warnings, such as scam, fake or restricted. The list may grow.',
    ru: 'Предупреждения: scam, fake, restricted и другие. Список может расти.',
    publishers: 'Warnings. The list is open: scam, fake, restricted, adult and others.',
    example: [],
  }),
  image_url: withTexts(optional(httpsUrl), {
    en: 'A picture of the entry.',
    ru: 'Изображение записи.',
    publishers: 'Handed on as it came, never fetched.',
    example: 'https://img.example.org/ai-news.jpg',
  }),
  page_url: withTexts(optional(httpsUrl), {
    en: 'Its page in the public catalog.',
    ru: 'Её страница в публичном каталоге.',
    publishers: 'The page of the entry in the public catalog.',
    example: 'https://catalog.example.org/ai-news',
  }),
  open_url: withTexts(optional(openUrl), {
    en: 'Opens it on the platform.',
    ru: 'Открывает её на платформе.',
    publishers: 'Opens the entry on the platform.',
    example: 'https://t.me/ai_news',
  }),
  links: withTexts(list(object({ rel: text(50), url: httpsUrl })), {
    en: 'Further addresses of the entry.',
    ru: 'Другие адреса записи.',
    publishers: null,
    example: [{ rel: 'website', url: 'https://ai-news.example.org/' }],
  }),
  published_at: withTexts(instant, {
    en: 'When it was published in the catalog.',
    ru: 'Когда опубликована в каталоге.',
    example: '2026-11-20T09:58:00Z',
  }),
}).refine((data) => data.subtype === null || data.kind === 'channel', {
  path: ['subtype'],
  error: 'nothing, unless the kind is channel',
});
export type PublishedData = z.infer<typeof publishedData>;

const unpublishedData = object({
  revision,
  reason: withTexts(optional(oneOf(['owner_request', 'policy', 'gone', 'duplicate', 'other'])), {
    example: 'owner_request',
  }),
});
export type UnpublishedData = z.infer<typeof unpublishedData>;

export type EntryEvent =
  | CatalogEvent<'catalog.entry.published', PublishedData>
  | CatalogEvent<'catalog.entry.unpublished', UnpublishedData>;

const onEntries = { topic: ENTRIES, subject: slug, upcasters: [], observedAt: null };

export const ENTRY_TYPES: readonly EventType[] = [
  { ...onEntries, name: 'catalog.entry.published', versions: [publishedData] },
  { ...onEntries, name: 'catalog.entry.unpublished', versions: [unpublishedData] },
];
