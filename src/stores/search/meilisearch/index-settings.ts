import type { Settings } from 'meilisearch';

import { MAX_TOTAL } from '../port.ts';

/** A feeder takes old seals away: there are hardly ever more than two. */
const MAX_SEALS = 100;

/** What an index must be told before its first document: https://www.meilisearch.com/docs/reference/api/settings */
export const SETTINGS = {
  // Words are matched by filters; names alone are searched, for slips of the finger.
  searchableAttributes: ['sound_names'],
  filterableAttributes: ['key', 'seal', 'terms'],
  sortableAttributes: ['key'],
  displayedAttributes: ['described', 'digest', 'id', 'score', 'sound_names'],
  // What filters find is ordered by popularity; what is searched, by its slips.
  rankingRules: ['sort', 'words', 'typo', 'attribute', 'proximity', 'exactness', 'score:desc', 'key:asc'],
  typoTolerance: { enabled: true, minWordSizeForTypos: { oneTypo: 4, twoTypos: 9 }, disableOnAttributes: [] },
  localizedAttributes: [{ attributePatterns: ['*'], locales: ['rus', 'eng'] }],
  // One more than can be reached tells whether there are more; seals are found beside them.
  pagination: { maxTotalHits: MAX_TOTAL + 1 + MAX_SEALS },
  faceting: { maxValuesPerFacet: MAX_SEALS },
  // Meilisearch gives up ranking after that and answers what it has, which would pass for all. In milliseconds.
  searchCutoffMs: 10_000,
  facetSearch: false,
} satisfies Settings;

/** Whether an index has our settings; what it has beside them is its own affair. */
export function hasSettings(found: unknown): boolean {
  return includes(found, SETTINGS);
}

/** Lists that Meilisearch sorts are written in that order above. */
function includes(found: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return found === wanted;
  if (typeof found !== 'object' || found === null) return false;
  if (Array.isArray(wanted) && (!Array.isArray(found) || found.length !== wanted.length)) return false;
  return Object.entries(wanted).every(([name, value]) =>
    includes((found as Readonly<Record<string, unknown>>)[name], value),
  );
}
