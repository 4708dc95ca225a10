import type { PublishedView } from '../../../../projections/listings/document.ts';
import { searchedTexts } from '../../../../projections/listings/search-entry.ts';
import { explained, matchesOf } from '../../../stores/search/matches/explain-hit.ts';
import { placedEntry } from '../../../stores/search/matches/placed-entry.ts';
import { readable } from '../../../stores/search/query/emoji-index-words.ts';
import type { Concept, ParsedQuery, Reading, Word } from '../../../stores/search/query/parsed-query.ts';
import { type Plan, planOf } from '../../../stores/search/ranking/query-plan.ts';
import { rounded } from '../../../stores/search/ranking/relevance.ts';

/** How a query was understood and why a hit ranks, as `search --explain` prints it; words in the form of the index. */

export function explanationOf(understood: ParsedQuery) {
  return { plan: planOf(understood), shown: shownOf(understood) };
}

function shownOf({ exact, exactSound, isUsername, asTyped, instead, because }: ParsedQuery) {
  return {
    names: exact,
    sound: exactSound === '' ? null : exactSound,
    is_username: isUsername,
    as_typed: readingShown(asTyped),
    instead: instead === null ? null : { because, ...readingShown(instead) },
  };
}

function readingShown({ text, concepts }: Reading) {
  return { text, parts: concepts.map(partShown) };
}

function partShown({ words, weight, synonyms, related, categories, kind, subtype }: Concept) {
  return {
    part: inText(words),
    weight: rounded(weight),
    sounds: words.map(({ sound }) => sound).filter((sound) => sound !== ''),
    roots: words.flatMap(({ roots }) => roots),
    synonyms: synonyms.map(inText),
    related: related.map(inText),
    categories,
    kind,
    subtype,
  };
}

function inText(words: readonly Word[]): string {
  return words.map(({ typed }) => readable(typed)).join(' ');
}

/** Null where the entry, as it is now, does not match: it has changed since the index was told. */
export function explainHit(plan: Plan, view: PublishedView) {
  const { kind, subtype, category } = view;
  const read = { kind, subtype, category, texts: searchedTexts(view) };
  const found = explained(plan, read, placedEntry(read));
  if (found === null) return null;
  const { list, relevance, parts, distance } = found;
  return {
    list,
    relevance,
    slips: distance === null ? null : Math.floor(distance / 2),
    parts: parts.map(({ part, what, isInCategory, value }) => ({
      part: part.text,
      weight: rounded(part.weight),
      has: what,
      in_category: isInCategory,
      worth: rounded(value),
      points: rounded(part.weight * value),
    })),
    matches: matchesOf(plan, read),
  };
}
