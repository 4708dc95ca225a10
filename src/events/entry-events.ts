import type { z } from 'zod';

import type { CatalogEvent, EventType } from './event.ts';
import {
  categorySlug,
  country,
  describedObject,
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
import texts from './field-texts.json' with { type: 'json' };

/** Entries: what is published under a slug, and that it no longer is. Both share one sequence of revisions. */

export const ENTRIES = 'catalog.entries';

/**
 * What an entry shows. Documents are made of these fields, and readers are told of them in the words of field-texts.json: to add
 * one, it is declared here, and the read model gets a new version (projections/listings/index.ts).
 */
export const publishedData = describedObject(texts.published, {
  revision,
  kind,
  subtype: optional(oneOf(['broadcast', 'group'])),
  username,
  title: localized(200, { isName: true }),
  summary: optional(localized(500)),
  description: optional(localized(5000, { lineFeeds: true })),
  category: optional(categorySlug),
  tags: list(text(50)),
  language: optional(language),
  country: optional(country),
  verified: flag,
  flags: list(flagName),
  image_url: optional(httpsUrl),
  page_url: optional(httpsUrl),
  open_url: optional(openUrl),
  links: list(object({ rel: text(50), url: httpsUrl })),
  published_at: instant,
}).refine((data) => data.subtype === null || data.kind === 'channel', {
  path: ['subtype'],
  error: 'nothing, unless the kind is channel',
});
export type PublishedData = z.infer<typeof publishedData>;

const unpublishedData = describedObject(texts.unpublished, {
  revision,
  reason: optional(oneOf(['owner_request', 'policy', 'gone', 'duplicate', 'other'])),
});
export type UnpublishedData = z.infer<typeof unpublishedData>;

export type EntryEvent =
  | CatalogEvent<'catalog.entry.published', PublishedData>
  | CatalogEvent<'catalog.entry.unpublished', UnpublishedData>;

const onEntries = { topic: ENTRIES, subject: slug, upcasters: [], observedAt: null };

export const ENTRY_TYPES: readonly EventType[] = [
  {
    ...onEntries,
    name: 'catalog.entry.published',
    versions: [publishedData],
  },
  {
    ...onEntries,
    name: 'catalog.entry.unpublished',
    versions: [unpublishedData],
  },
];
