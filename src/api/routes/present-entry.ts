import type { PublishedView, Score } from '../../../projections/listings/document.ts';
import { showInstant } from '../../platform/time/instant.ts';
import { inLanguage, type Locale, TEXTS } from '../../texts/texts.ts';
import type { PublishedListing } from '../reading/listing-queries.ts';
import { type Taxonomy, titleOf } from '../reading/build-taxonomy.ts';
import { ENTRY, TAXONOMY } from './example-catalog.ts';
import { details, type Listing } from './listing-schema.ts';

/** An entry of the stored view as lists and listings show it, in one language. Pure. */

function presentRecord({ id, view }: PublishedListing, locale: Locale, taxonomy: Taxonomy) {
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

/** Read once: the schema makes a schema of them each time that it is asked. */
const DETAILS = details.keyof().options;

/** A whole listing. */
export function presentListing(entry: PublishedListing, inLocale: Locale, taxonomy: Taxonomy): Listing {
  const { view } = entry;
  const { measured_at: measuredAt, ...measures } = view.metrics ?? { measured_at: null };
  return {
    ...presentRecord(entry, inLocale, taxonomy),
    description: view.description && inLanguage(view.description, inLocale),
    ...Object.fromEntries(DETAILS.map((name) => [name, view[name]])),
    metrics: measuredAt === null ? null : { measured_at: showInstant(measuredAt), ...measures },
    score: presentScore(view.score, inLocale),
    published_at: showInstant(view.published_at),
    // The stored view pairs each kind with its own metrics and unit, which the fields one by one do not show.
  } as Listing;
}

function presentScore({ value: points, breakdown, ...rest }: Score, inLocale: Locale): Listing['score'] {
  const titles = TEXTS[inLocale].api.scoreParts;
  return {
    value: points,
    scale: 100,
    ...rest,
    breakdown: breakdown.map(({ key: part, ...given }) => ({ key: part, title: titles[part], ...given })),
  };
}

export function exampleListing(inLocale: Locale): Listing {
  return presentListing(ENTRY, inLocale, TAXONOMY);
}
