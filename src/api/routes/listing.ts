import { z } from 'zod';

import { described } from '../../platform/described.ts';
import { after, afterBoth } from '../../platform/soon.ts';
import { apiRoute, BASE, KEYED, renderingKey } from '../api-route.ts';
import { locale } from '../http/parameters.ts';
import { renderJson } from '../http/rendering.ts';
import { problem } from '../problems.ts';
import { ENTRY } from './example.ts';
import { listingBody } from './listing-body.ts';
import { exampleListing, presentListing } from './present-listing.ts';

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
  inPath: {
    slug: described(z.string().regex(SLUG).max(128), {
      en: 'The slug of the entry, in any case.',
      ru: 'Slug записи; регистр букв не важен.',
      example: ENTRY.id,
    }),
  },
  parameters: { locale },
  isDirect: true,
  body: listingBody,
  example: exampleListing,
  canBeMissing: true,
  carries: 'updated',
  answer({ reading, renderings }, { values, path: { slug: given = '' } }) {
    if (!SLUG.test(given)) return problem('unknown_listing');
    const slug = given.toLowerCase();
    const reads = after(reading.live('listings'), ({ collection }) => reading.published(collection, [slug]));
    return afterBoth(reads, reading.taxonomy(), (published, taxonomy) => {
      const entry = published.get(slug);
      if (!entry) return problem('unknown_listing');
      return renderings.of(
        renderingKey('getListing', values.locale, slug),
        [entry.version, taxonomy.digest],
        () =>
          renderJson(presentListing(entry, values.locale, taxonomy), values.locale, {
            lastModified: entry.view.updated_at,
          }),
      );
    });
  },
});
