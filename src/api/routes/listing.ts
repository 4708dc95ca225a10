import { KEYED_CACHE_CONTROL, renderingKey, route } from '../route.ts';
import { locale } from '../http/parameters.ts';
import { presentListing } from '../presenting.ts';
import { problem } from '../problems.ts';
import { renderJson } from '../http/rendering.ts';
import { listing as body } from '../schemas.ts';

/** Slugs are lower case, and read in any. */
export const SLUG = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,126}[A-Za-z0-9])?$/;

/** One published entry. */
export const listing = route({
  operation: 'getListing',
  path: '/api/v1/listings/:slug',
  needsKey: true,
  parameters: { locale },
  body,
  canBeMissing: true,
  cacheControl: KEYED_CACHE_CONTROL,
  async answer({ reading, renderings }, { values, path: { slug: given = '' } }) {
    if (!SLUG.test(given)) return problem('unknown_listing');
    const slug = given.toLowerCase();
    const { collection } = await reading.live('listings');
    const [published, taxonomy] = await Promise.all([
      reading.published(collection, [slug]),
      reading.taxonomy(),
    ]);
    const entry = published.get(slug);
    if (!entry) return problem('unknown_listing');
    return renderings.of(
      renderingKey('getListing', values.locale, slug),
      [entry.version, taxonomy.digest],
      () => renderJson(presentListing(entry, values.locale, taxonomy), values.locale, entry.view.updated_at),
    );
  },
});
