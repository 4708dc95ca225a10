import type { Score } from '../../../projections/listings/document.ts';
import { showInstant } from '../../platform/time/instant.ts';
import { inLanguage, type Locale, TEXTS } from '../../texts/texts.ts';
import type { PublishedListing } from '../reading/listings.ts';
import type { Taxonomy } from '../reading/taxonomy.ts';
import { ENTRY, TAXONOMY } from './example.ts';
import { details, type Listing } from './listing-body.ts';
import { presentRecord } from './present-entry.ts';

/** Read once: the schema makes a schema of them each time that it is asked. */
const DETAILS = details.keyof().options;

/** A whole listing as it is shown, in one language. Pure. */

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
