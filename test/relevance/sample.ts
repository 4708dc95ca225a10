import { listings } from '../../projections/listings/index.ts';
import type { ListingView } from '../../projections/listings/document.ts';
import { searchEntry } from '../../projections/listings/search-entry.ts';
import { toInstant } from '../../src/platform/time/instant.ts';
import { sampleEvents } from '../../src/sample/sample.ts';
import type { SearchEntry } from '../../src/stores/search/port.ts';
import { decoded } from '../support/events.ts';
import { byDocument, fold } from '../support/laws.ts';

/** The shipped catalog as it is searched. */

/** With the generated texts, or with the facts alone. */
export function sampleEntries({ hasTexts = true } = {}): readonly SearchEntry[] {
  return sampleViews().flatMap(({ slug, view }) => {
    const isBare = !hasTexts && view.published;
    return searchEntry(slug, isBare ? { ...view, tags: [], summary: null, description: null } : view) ?? [];
  });
}

export interface Sampled {
  readonly slug: string;
  readonly view: ListingView;
}

let views: readonly Sampled[] | null = null;

/** As a projector would make them, metrics and scores included; once. */
export function sampleViews(): readonly Sampled[] {
  return (views ??= madeViews());
}

function madeViews(): readonly Sampled[] {
  const end = toInstant(Date.UTC(2026, 10, 20));
  if (end === null) throw new Error('There is no such moment');
  // A third of the sample are probes of the monitor, which nobody searches.
  const searched = sampleEvents(end).filter(({ type }) => type.startsWith('catalog.'));
  const events = Array.from(searched, decoded);
  return Array.from(byDocument(listings, events), ([slug, told]) => {
    const registers = fold(listings, told) as Parameters<typeof listings.view>[1];
    return { slug, view: listings.view(slug, registers) };
  });
}
