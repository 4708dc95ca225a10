import type { PublishedView } from '../../../projections/listings/document.ts';
import { showInstant } from '../../platform/time/instant.ts';
import { inLanguage, type Locale } from '../../texts/texts.ts';
import type { PublishedListing } from '../reading/listings.ts';
import { type Taxonomy, titleOf } from '../reading/taxonomy.ts';

/** An entry of the stored view as lists and listings show it, in one language. Pure. */

export function presentRecord({ id, view }: PublishedListing, locale: Locale, taxonomy: Taxonomy) {
  return {
    slug: id,
    kind: view.kind,
    subtype: view.subtype,
    title: inLanguage(view.title, locale) ?? view.username,
    username: view.username,
    summary: view.summary && inLanguage(view.summary, locale),
    language: view.language,
    category: presentCategory(view, locale, taxonomy),
    audience: view.audience,
    verified: view.verified,
    flags: view.flags,
    image_url: view.image_url,
    page_url: view.page_url,
    open_url: view.open_url,
    updated_at: showInstant(view.updated_at),
  };
}

function presentCategory({ category }: PublishedView, locale: Locale, taxonomy: Taxonomy) {
  if (category === null) return null;
  return { slug: category, title: titleOf(taxonomy, category)[locale] };
}

/** An entry in a list. */
export function presentItem(entry: PublishedListing, locale: Locale, taxonomy: Taxonomy) {
  const { value, preliminary } = entry.view.score;
  return { ...presentRecord(entry, locale, taxonomy), score: { value, preliminary } };
}
