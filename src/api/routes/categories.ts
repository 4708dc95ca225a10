import { z } from 'zod';

import { apiRoute, BASE, KEYED, responseKey } from '../api-route-contract.ts';
import { locale } from '../http/parameters.ts';
import { renderJson } from '../http/response/representation.ts';
import { type Locale, LOCALES } from '../../texts/texts.ts';
import { type CategoryCount, trees } from '../reading/category-tree.ts';
import type { Taxonomy } from '../reading/build-taxonomy.ts';
import { TAXONOMY } from './example-catalog.ts';
import type { Kind } from '../../../projections/listings/document.ts';
import { count, slug, title } from './entry-fields.ts';

/** The trees of categories, one for each kind, with how many entries stand in them. */

const node = z
  .object({
    slug,
    title,
    count,
    total: count,
    get children() {
      return z.array(node);
    },
  })
  .meta({ id: 'CategoryNode' });

const tree = z.object({ total: count, categories: z.array(node) }).meta({ id: 'CategoryTree' });

const body = z
  .object({
    locale: z.enum(LOCALES),
    total: count,
    trees: z.object({ channel: tree, bot: tree, miniapp: tree } satisfies Record<Kind, unknown>),
  })
  .meta({ id: 'Categories' });

type Counts = readonly CategoryCount[];

/** The trees of all kinds, empty categories left out. */
function present(taxonomy: Taxonomy, counts: Counts, inLocale: Locale): z.infer<typeof body> {
  // The trees are read-only, which the type of the body does not say.
  return { locale: inLocale, ...trees(taxonomy, counts, inLocale) } as z.infer<typeof body>;
}

const COUNTS: Counts = [
  { kind: 'channel', category: 'technology', count: 40 },
  { kind: 'channel', category: 'data-science', count: 103 },
  { kind: 'bot', category: null, count: 12 },
];

export const categories = apiRoute({
  ...KEYED,
  operation: 'listCategories',
  path: `${BASE}/categories`,
  tag: 'catalog',
  texts: {
    en: {
      summary: 'Categories',
      description:
        'The trees of categories, one for each kind. Categories that hold nothing of a kind are left out of its tree.',
    },
    ru: {
      summary: 'Категории',
      description:
        'Деревья категорий, по одному на каждый вид записей. Категории, в которых нет записей этого вида, в дерево не входят.',
    },
  },
  parameters: { locale },
  body,
  example: (inLocale) => present(TAXONOMY, COUNTS, inLocale),
  link: {
    name: 'top',
    operation: 'getTop',
    parameters: { kind: 'channel', category: '$response.body#/trees/channel/categories/0/slug' },
  },
  async answer({ reading, responses }, { values: { locale: language } }) {
    const counted = async () => await reading.counts((await reading.live('listings')).collection).current();
    const [taxonomy, counts] = await Promise.all([reading.taxonomy(), counted()]);
    return responses.of(responseKey('listCategories', language), [taxonomy.digest, counts], () =>
      renderJson(present(taxonomy, counts, language), language),
    );
  },
});
