import { distanceTo, typedAs, wordsMeant } from '../name-distance.ts';
import { nameKey } from '../../../platform/text/search-text.ts';
import { transliterate } from '../../../platform/text/transliterate.ts';
import type { SearchedText } from '../port.ts';
import { holds, inTraits } from '../ranking/evaluate-condition.ts';
import type { Part, Plan, PlanList } from '../ranking/query-plan.ts';
import { hadBy, type PartMatch, relevanceBy } from '../ranking/relevance.ts';
import { type How, WAYS } from '../ranking/match-way-values.ts';
import { type Place, placedEntry, type PlacedEntry, placesOf, type ReadEntry } from './placed-entry.ts';

/** From `start` up to `end`, in code points of the field. */
export type Range = Pick<Place, 'start' | 'end'>;

/** Where an entry has a part of the query, in one of its fields. */
export interface Match extends Pick<SearchedText, 'language' | 'item'> {
  /** A category or a kind matches as such: no characters of the entry do. */
  readonly field: SearchedText['field'] | 'category' | 'kind';
  /** The part, in the words by which it was understood. */
  readonly part: string;
  readonly how: How;
  /** Whole words, ascending, apart from each other. */
  readonly ranges: readonly Range[];
}

/** Of a hit no more matches are told, and of a match no more ranges: the first ones. */
export const MOST_MATCHES = 50;
export const MOST_RANGES = 20;

/**
 * What of an entry matches a query: of each part the most telling way in the names and the most telling one in the other
 * texts, by the conditions that engines are asked by. None where the entry, as it is now, does not match. Pure.
 */
export function matchesOf(plan: Plan, read: ReadEntry): readonly Match[] {
  const entry = placedEntry(read);
  const found = explained(plan, read, entry);
  if (found === null) return [];
  if (found.list === 'slips') return slips(plan, read, entry);
  const typed = typedIn(plan);
  const names = found.names.map((text) => nameMatch(read, text, typed));
  const parts = found.parts.flatMap(({ part, isInCategory }) => [
    ...inTexts(part, read, entry).filter((match) => !names.some((name) => isSameField(name, match))),
    ...(isInCategory ? [asSuch('category', part)] : []),
    ...(part.evidence.some(({ what, condition }) => WAYS[what].how === 'kind' && holds(condition, entry))
      ? [asSuch('kind', part)]
      : []),
  ]);
  return [...names, ...parts].slice(0, MOST_MATCHES);
}

function inTexts(part: Part, read: ReadEntry, entry: PlacedEntry): readonly Match[] {
  const had = part.evidence.filter(({ condition }) => holds(condition, entry));
  const named = had.find(({ what }) => WAYS[what].place === 'name' && WAYS[what].isOrder !== true);
  const told = had.find(({ what }) => WAYS[what].place === 'text');
  return [named, told].flatMap((evidence) =>
    evidence === undefined
      ? []
      : byFields(placesOf(evidence.condition, entry), read, part.text, WAYS[evidence.what].how),
  );
}

function slips(plan: Plan, read: ReadEntry, { named }: PlacedEntry): readonly Match[] {
  const heard = named.map((words) => words.filter(({ word }) => transliterate(word) !== ''));
  const sounds = heard.map((words) => words.map(({ word }) => transliterate(word)));
  const meant = wordsMeant(typedAs(plan.slips.join(' ')), sounds);
  const places = meant.flatMap(([name, word]) => heard[name]?.[word] ?? []);
  return byFields(places, read, typedIn(plan), 'slips');
}

function nameMatch({ texts }: ReadEntry, at: number, part: string): Match {
  const { field = 'title', language = null, item = null, text = '' } = texts[at] ?? {};
  return { field, language, item, part, how: 'name', ranges: [{ start: 0, end: Array.from(text).length }] };
}

function byFields(places: readonly Place[], { texts }: ReadEntry, part: string, how: How): readonly Match[] {
  return texts.flatMap(({ field, language, item }, at) => {
    const here = places.filter(({ text }) => text === at);
    const inForms = Map.groupBy(here, ({ isLonger }) => (isLonger ? 'beginning' : how));
    return Array.from(inForms, ([inForm, found]) => {
      return { field, language, item, part, how: inForm, ranges: merged(found).slice(0, MOST_RANGES) };
    });
  });
}

/** Ascending; what overlaps is one. */
function merged(places: readonly Range[]): readonly Range[] {
  const ranges: { start: number; end: number }[] = [];
  for (const { start, end } of places.toSorted((one, other) => one.start - other.start)) {
    const last = ranges.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else ranges.push({ start, end });
  }
  return ranges;
}

function asSuch(field: 'category' | 'kind', { text }: Part): Match {
  return { field, language: null, item: null, part: text, how: field, ranges: [] };
}

function isSameField(one: Match, other: Match): boolean {
  return one.field === other.field && one.language === other.language && one.item === other.item;
}

function typedIn({ full, slips: heard }: Plan): string {
  return full?.parts.map(({ text }) => text).join(' ') ?? heard.join(' ');
}

/** The lists of a plan, as they follow one another. */
type ListName = 'name' | 'all' | 'other_reading' | 'some' | 'slips';

/** Why an entry stands where it does. */
interface MatchExplanation {
  /** The first list that it belongs to: that is where it stands. */
  readonly list: ListName;
  /** The numbers of the names that equal the query. */
  readonly names: readonly number[];
  /** The sum of its parts, of the first list of words that it belongs to; null where it belongs to no list of words. */
  readonly relevance: number | null;
  readonly parts: readonly PartMatch[];
  /** How far its names are from the query, where slips alone explain it; else null. */
  readonly distance: number | null;
}

/** Null where the entry, as it is now, does not match. Pure. */
export function explained(plan: Plan, read: ReadEntry, entry: PlacedEntry): MatchExplanation | null {
  const names = namesakes(plan, read, entry);
  const lists: readonly (readonly [ListName, PlanList])[] = [
    ...(plan.full === null ? [] : [['all', plan.full] as const]),
    ...plan.otherwise.map((wanted) => [wanted.share === 1 ? 'other_reading' : 'some', wanted] as const),
  ];
  for (const [list, wanted] of lists) {
    const relevance = relevanceBy(wanted, inTraits)(entry);
    if (relevance === null) continue;
    const parts = wanted.parts.map((part) => hadBy(part, inTraits)(entry));
    return { list: names.length > 0 ? 'name' : list, names, relevance, parts, distance: null };
  }
  const none = { names, relevance: null, parts: [] };
  if (names.length > 0) return { list: 'name', ...none, distance: null };
  const sounds = entry.sounds.map((name) => name.trim()).join('\n');
  const distance = distanceTo(typedAs(plan.slips.join(' ')), sounds);
  return plan.slips.length === 0 || distance === null ? null : { list: 'slips', ...none, distance };
}

/** The names that equal the query, as typed or by their sound. */
function namesakes({ exact, exactSound }: Plan, { texts }: ReadEntry, { sounds }: PlacedEntry): number[] {
  return texts.flatMap(({ isName, text }, at) => {
    if (!isName) return [];
    const isHeardAs = exactSound !== '' && sounds[at] === ` ${exactSound} `;
    return isHeardAs || exact.includes(nameKey(text)) ? [at] : [];
  });
}
