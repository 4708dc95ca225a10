import { z } from 'zod';

import { withTexts } from '../../platform/schema-field-texts.ts';
import { apiRoute, BASE, KEYED, responseKey } from '../api-route-contract.ts';
import { locale } from '../http/parameters.ts';
import { renderJson } from '../http/response/representation.ts';
import { problem } from '../problems.ts';
import { readListing } from '../reading/listing-queries.ts';
import { ENTRY } from './example-catalog.ts';
import { listingSchema } from './listing-schema.ts';
import { exampleListing, presentListing } from './present-entry.ts';

/** One published entry, with everything that is known about it. */

/** Slugs are lower case, and read in any. */
export const SLUG = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,126}[A-Za-z0-9])?$/;

export const listing = apiRoute({
  ...KEYED,
  operation: 'getListing',
  path: `${BASE}/listings/:slug`,
  tag: 'catalog',
  texts: {
    en: {
      summary: 'One entry',
      description:
        'One entry, with its metrics and its score. An unpublished entry is 404 a moment later, and is listed nowhere any more.',
    },
    ru: {
      summary: 'Одна запись',
      description:
        'Одна запись с показателями и рейтингом. Снятая с публикации запись через мгновение отвечает 404 и пропадает из всех списков.',
    },
  },
  inPath: { slug: withTexts(z.string().regex(SLUG).max(128), { example: ENTRY.id }) },
  parameters: { locale },
  body: listingSchema,
  example: exampleListing,
  canBeMissing: true,
  carries: 'updated',
  async answer({ reading, responses }, { values, path: { slug: given = '' } }) {
    if (!SLUG.test(given)) return problem('unknown_listing');
    const slug = given.toLowerCase();
    const [entry, taxonomy] = await Promise.all([readListing(reading, slug), reading.taxonomy()]);
    if (!entry) return problem('unknown_listing');
    const key = responseKey('getListing', values.locale, slug);
    return responses.of(key, [entry.version, taxonomy.digest], () =>
      renderJson(presentListing(entry, values.locale, taxonomy), values.locale, {
        lastModified: entry.view.updated_at,
      }),
    );
  },
});
