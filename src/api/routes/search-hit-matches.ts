import { setImmediate as nextTurn } from 'node:timers/promises';

import { z } from 'zod';

import { searchedTexts } from '../../../projections/listings/search-entry.ts';
import { type Match, matchesOf, MOST_MATCHES, MOST_RANGES } from '../../stores/search/matches/explain-hit.ts';
import { planOf } from '../../stores/search/ranking/query-plan.ts';
import type { ParsedQuery } from '../../stores/search/query/parsed-query.ts';
import type { PublishedListing } from '../reading/listing-queries.ts';
import { withTexts } from '../../platform/schema-field-texts.ts';
import { HOW } from '../../stores/search/ranking/match-way-values.ts';
import { LOCALES } from '../../texts/texts.ts';

/** Where an entry has what was searched for. */

const FIELDS = ['username', 'title', 'tags', 'summary', 'description', 'category', 'kind'] as const;

const place = z.int().nonnegative();

const range = z.object({ start: place, end: place }).meta({ id: 'Range' });

const match = z
  .object({
    field: z.enum(FIELDS),
    language: z.enum(LOCALES).nullable(),
    item: place.nullable(),
    part: z.string(),
    how: z.enum(HOW),
    ranges: withTexts(z.array(range), {
      en: `Whole words of the field, ascending; at most ${MOST_RANGES}, the first ones.`,
      ru: `Целые слова поля по порядку; не больше ${MOST_RANGES}, первые.`,
    }),
  })
  .meta({ id: 'Match' });

export const matches = withTexts(z.array(match).optional(), {
  en: `What of the entry matched, part by part of the query; at most ${MOST_MATCHES}, the first ones. There with matches=true alone; empty where the entry has changed since it was found.`,
  ru: `Что в записи совпало, по частям запроса; не больше ${MOST_MATCHES}, первые. Есть только при matches=true; пусто, если запись изменилась после того, как нашлась.`,
});

/** By slug. */
export type MatchesOf = ReadonlyMap<string, readonly Match[]>;

/**
 * What of each entry matched: computed from the documents, and so the same whatever engine found them. The longest texts take
 * some 5 ms an entry: others are answered in between.
 */
export async function matchesIn(
  entries: readonly PublishedListing[],
  understood: ParsedQuery,
): Promise<MatchesOf> {
  const plan = planOf(understood);
  const found = new Map<string, readonly Match[]>();
  for (const { id, view } of entries) {
    const { kind, subtype, category } = view;
    found.set(id, matchesOf(plan, { kind, subtype, category, texts: searchedTexts(view) }));
    await nextTurn();
  }
  return found;
}
