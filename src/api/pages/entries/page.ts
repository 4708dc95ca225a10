import { problem } from '../../problems.ts';
import { readListing } from '../../reading/listing-queries.ts';
import { SLUG } from '../../routes/listing.ts';
import { presentListing } from '../../routes/present-entry.ts';
import type { PageDefinition } from '../shell/page-route.ts';
import { entryView } from './view.ts';

/** A published entry, by the very read that `/listings/{slug}` makes: its page is 404 when that is. */
export const entry: PageDefinition = {
  place: (locale) => `${locale}/entries/:slug`,
  async answer({ reading, context, request }) {
    const given = request.path['slug'] ?? '';
    if (!SLUG.test(given)) return problem('unknown_listing');
    const slug = given.toLowerCase();
    const [found, taxonomy] = await Promise.all([readListing(reading, slug), reading.taxonomy()]);
    if (!found) return problem('unknown_listing');
    return {
      varying: [slug],
      stamps: [found.version, taxonomy.digest],
      view: () => entryView(presentListing(found, context.locale, taxonomy), context),
    };
  },
};
