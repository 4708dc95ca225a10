import { z } from 'zod';

import { showInstant } from '../../platform/time/instant.ts';
import { category, kind, locale, wholeNumber } from '../http/parameters.ts';
import { renderJson } from '../http/response/representation.ts';
import type { Locale } from '../../texts/texts.ts';
import type { Taxonomy } from '../reading/build-taxonomy.ts';
import type { PublishedListing } from '../reading/listing-queries.ts';
import { readTop, type Top, type TopFilter } from '../reading/read-top.ts';
import { apiRoute, BASE, KEYED, responseKey, versionsOf } from '../api-route-contract.ts';
import { requestFields, count, firstEntry, instant, itemFields, ofKind } from './entry-fields.ts';
import { presentItem } from './present-entry.ts';
import { ENTRY, TAXONOMY } from './example-catalog.ts';

/** Entries by catalog score, the best first. */

const MOST = 100;
/** Where none is asked for. */
export const TOP_LIMIT = 20;

const rankedFields = { rank: z.int().min(1).max(MOST), ...itemFields };

const item = z
  .discriminatedUnion('kind', [
    z.object({ ...rankedFields, ...ofKind.channel }).meta({ id: 'ChannelItem' }),
    z.object({ ...rankedFields, ...ofKind.bot }).meta({ id: 'BotItem' }),
    z.object({ ...rankedFields, ...ofKind.miniapp }).meta({ id: 'MiniappItem' }),
  ])
  .meta({ id: 'TopItem' });

const body = z
  .object({
    ...requestFields,
    limit: z.int().min(1).max(MOST),
    total: count,
    as_of: instant.nullable(),
    items: z.array(item),
  })
  .meta({ id: 'Top' });
type TopBody = z.infer<typeof body>;

type TopResult = Pick<Top, 'entries' | 'total'> & { readonly filter: TopFilter };

/** The best entries in their order, ranked from 1. */
export function presentTop(
  { entries, total, filter }: TopResult,
  inLocale: Locale,
  taxonomy: Taxonomy,
): TopBody {
  const items = entries.map((entry, index) => ({
    rank: index + 1,
    ...presentItem(entry, inLocale, taxonomy),
  }));
  const { kind: ofOne, category: under, limit } = filter;
  const asOf = newestMeasurement(entries);
  // The stored view pairs each kind with its own unit, which the fields one by one do not show.
  return { locale: inLocale, kind: ofOne, category: under, limit, total, as_of: asOf, items } as TopBody;
}

function newestMeasurement(entries: readonly PublishedListing[]): string | null {
  const measured = entries.flatMap(({ view }) => (view.metrics ? [view.metrics.measured_at] : []));
  const newest = measured.reduce((latest, at) => (at > latest ? at : latest), '');
  return newest === '' ? null : showInstant(newest);
}

const EXAMPLE: TopResult = {
  entries: [ENTRY],
  total: 143,
  filter: { kind: 'channel', category: 'technology', limit: 1 },
};

export const top = apiRoute({
  ...KEYED,
  operation: 'getTop',
  path: `${BASE}/top`,
  tag: 'catalog',
  texts: {
    en: {
      summary: 'Top',
      description:
        'Entries by catalog score, the best first. Entries of equal score are ordered by slug. A category stands for everything below it too; one that does not exist has nothing in it. The totals agree with those of the categories.',
    },
    ru: {
      summary: 'Лучшие записи',
      description:
        'Записи по рейтингу каталога, лучшие первыми. При равном рейтинге порядок — по slug. Категория включает всё, что под ней; в несуществующей ничего нет. Итоги совпадают с итогами по категориям.',
    },
  },
  parameters: { locale, kind, category, limit: wholeNumber({ max: MOST, otherwise: TOP_LIMIT }) },
  body,
  example: (inLocale) => presentTop(EXAMPLE, inLocale, TAXONOMY),
  link: firstEntry,
  async answer({ reading, responses }, { values }) {
    const { locale: language, limit } = values;
    const filter = { kind: values.kind ?? null, category: values.category ?? null, limit };
    const { entries, total, taxonomy } = await readTop(reading, filter);
    const key = responseKey('getTop', language, filter.kind, filter.category, limit);
    return responses.of(key, [taxonomy.digest, total, ...versionsOf(entries)], () =>
      renderJson(presentTop({ entries, total, filter }, language, taxonomy), language),
    );
  },
});
