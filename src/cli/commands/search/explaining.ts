import type { PublishedView } from '../../../../projections/listings/document.ts';
import { searchedTexts } from '../../../../projections/listings/search.ts';
import { readable } from '../../../stores/search/query/emoji-words.ts';
import type { Concept, Reading, ParsedQuery, Word } from '../../../stores/search/query/parsed-query.ts';
import { explained } from '../../../stores/search/matches/explained.ts';
import { matchesOf } from '../../../stores/search/matches/matches.ts';
import { placedEntry } from '../../../stores/search/matches/placed-entry.ts';
import { type Plan, planOf } from '../../../stores/search/ranking/plan.ts';
import { rounded } from '../../../stores/search/ranking/relevance.ts';
import type { Spelling } from './spelling.ts';

/** How a query was understood and why a hit ranks, in the names in which scripts get it. Pure. */

export function explanationOf(understood: ParsedQuery, spelt: Spelling) {
  return { plan: planOf(understood), shown: shownOf(understood, spelt), spelt };
}

export type ShownUnderstood = ReturnType<typeof shownOf>;

function shownOf({ exact, exactSound, isUsername, asTyped, instead, because }: ParsedQuery, spelt: Spelling) {
  return {
    names: exact,
    sound: exactSound === '' ? null : exactSound,
    is_username: isUsername,
    as_typed: readingShown(asTyped, spelt),
    instead: instead === null ? null : { because, ...readingShown(instead, spelt) },
  };
}

function readingShown({ text, concepts }: Reading, spelt: Spelling) {
  return { text: spelt(text.split(' ')), parts: concepts.map((part) => partShown(part, spelt)) };
}

function partShown(
  { words, weight, synonyms, related, categories, kind, subtype }: Concept,
  spelt: Spelling,
) {
  const inText = (some: readonly Word[]) => spelt(some.map(({ typed }) => readable(typed)));
  return {
    part: inText(words),
    /** In the form of the index. */
    folded: words.map(({ typed }) => typed).join(' '),
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

export type ShownRank = NonNullable<ReturnType<typeof explainHit>>;

/** Null where the entry, as it is now, does not match: it has changed since the index was told. */
export function explainHit({ plan, spelt }: { plan: Plan; spelt: Spelling }, view: PublishedView) {
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
      part: spelt(part.text.split(' ')),
      weight: rounded(part.weight),
      has: what,
      in_category: isInCategory,
      worth: rounded(value),
      points: rounded(part.weight * value),
    })),
    matches: matchesOf(plan, read),
  };
}
