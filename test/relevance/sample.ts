import { listings } from '../../projections/listings/index.ts';
import { searchEntry } from '../../projections/listings/search.ts';
import { toInstant } from '../../src/platform/instant.ts';
import { sampleEvents } from '../../src/sample/sample.ts';
import type { SearchEntry } from '../../src/stores/search/port.ts';
import { decoded } from '../support/events.ts';
import { byDocument, fold } from '../support/laws.ts';

/** The shipped catalog as it is searched. */

/** As a projector would make them, metrics and scores included; with the generated texts, or with the facts alone. */
export function sampleEntries({ hasTexts = true } = {}): readonly SearchEntry[] {
  const end = toInstant(Date.UTC(2026, 10, 20));
  if (end === null) throw new Error('There is no such moment');
  // A third of the sample are probes of the monitor, which nobody searches.
  const searched = sampleEvents({ end }).filter(({ type }) => type.startsWith('catalog.'));
  const events = Array.from(searched, decoded);
  return [...byDocument(listings, events)].flatMap(([slug, told]) => {
    const registers = fold(listings, told) as Parameters<typeof listings.view>[1];
    const view = listings.view(slug, registers);
    const isBare = !hasTexts && view.published;
    return searchEntry(slug, isBare ? { ...view, tags: [], summary: null, description: null } : view) ?? [];
  });
}
