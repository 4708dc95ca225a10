import { setImmediate as nextTurn } from 'node:timers/promises';

import { z } from 'zod';

import { searchedTexts } from '../../../projections/listings/search-entry.ts';
import { type Match, matchesOf, MOST_MATCHES, MOST_RANGES } from '../../stores/search/matches/matches.ts';
import { planOf } from '../../stores/search/ranking/query-plan.ts';
import type { ParsedQuery } from '../../stores/search/query/parsed-query.ts';
import type { PublishedListing } from '../reading/listings.ts';
import { withTexts } from '../../platform/schema-field-texts.ts';
import { HOW } from '../../stores/search/ranking/match-ways.ts';
import { LOCALES } from '../../texts/texts.ts';

/** Where an entry has what was searched for. */

const FIELDS = ['username', 'title', 'tags', 'summary', 'description', 'category', 'kind'] as const;

const place = z.int().nonnegative();

const range = z
  .object({
    start: withTexts(place, {
      en: 'Where it begins, in Unicode code points from 0.',
      ru: 'Где начинается: номер кодовой точки Unicode, с 0.',
    }),
    end: withTexts(place, {
      en: 'Where it has ended: the first code point behind it.',
      ru: 'Где кончилось: первая кодовая точка за ним.',
    }),
  })
  .meta({ id: 'Range' });

const match = z
  .object({
    field: withTexts(z.enum(FIELDS), {
      en: 'The field of the listing. Of category and kind no characters match, but the entry is in it: ranges is empty.',
      ru: 'Поле записи. У category и kind совпадают не символы, а сама принадлежность: ranges пуст.',
    }),
    language: withTexts(z.enum(LOCALES).nullable(), {
      en: 'Of a field with a text for each language, the one that matched; else null.',
      ru: 'Язык совпавшего текста, если поле есть на двух языках; иначе null.',
    }),
    item: withTexts(place.nullable(), {
      en: 'Of tags, which one, from 0; else null.',
      ru: 'Для tags — номер метки, с 0; иначе null.',
    }),
    part: withTexts(z.string(), {
      en: 'The part of the query, in the words by which it was understood: on the other keyboard layout, or with its slips put right, where that is what found the entry.',
      ru: 'Часть запроса в тех словах, как она понята: в другой раскладке или с исправленными опечатками, если запись нашлась так.',
    }),
    how: withTexts(z.enum(HOW), {
      en: 'name: the whole name equals the query. words: its words, in any form and either script. synonym, related: a word that means the same, or something near. beginning: a word begins with it. inside: a word holds it. slips: a word but for slips of the finger. category, kind: it names the category, or one above it, or the kind.',
      ru: 'name: имя целиком равно запросу. words: его слова в любой форме, кириллицей или латиницей. synonym, related: слово с тем же или близким смыслом. beginning: слово с него начинается. inside: слово его содержит. slips: слово с опечаткой. category, kind: названа категория записи, одна из категорий над ней или вид.',
    }),
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
