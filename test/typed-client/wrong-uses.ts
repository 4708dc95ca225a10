import createClient from 'openapi-fetch';

import type { components, paths } from './catalog-api.d.ts';

/** What the compiler must refuse: it also complains where it has nothing to refuse. Never run. */

type Schemas = components['schemas'];

export async function askWrongly(): Promise<void> {
  const catalog = createClient<paths>();
  // @ts-expect-error There is no such address.
  await catalog.GET('/listing/{slug}', { params: { path: { slug: 'ai-news' } } });
  // @ts-expect-error The API is read-only.
  await catalog.POST('/search', { params: { query: { q: 'news' } } });
  // @ts-expect-error q is required.
  await catalog.GET('/search', { params: { query: { locale: 'en' } } });
  // @ts-expect-error A kind that does not exist.
  await catalog.GET('/top', { params: { query: { kind: 'group' } } });
  // @ts-expect-error A number is not written as text.
  await catalog.GET('/top', { params: { query: { limit: '10' } } });
  // @ts-expect-error The slug is a part of the path.
  await catalog.GET('/listings/{slug}', { params: { query: { locale: 'en' } } });
}

export function readWrongly(listing: Schemas['Listing'], page: Schemas['SearchPage']): readonly unknown[] {
  return [
    // @ts-expect-error A misspelt field.
    listing.titel,
    // @ts-expect-error Metrics are null where nothing was measured.
    listing.metrics.history,
    // @ts-expect-error Only channels have subscribers, and this may be a bot.
    listing.metrics?.subscribers,
    // @ts-expect-error A mini app has no commands.
    listing.kind === 'miniapp' && listing.metrics?.commands_count,
    // @ts-expect-error The last page has no next one.
    page.links.next.length,
    // @ts-expect-error The fields of a listing are not those of a record in a list.
    page.items[0]?.description,
  ];
}

export function explainWrongly({ error }: Schemas['Error']): boolean {
  // @ts-expect-error A code that does not exist.
  return error.code === 'missing';
}
