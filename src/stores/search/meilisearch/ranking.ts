import type { RecordAny } from 'meilisearch';

import { distanceTo } from '../edits.ts';
import type { Condition } from '../ranking/condition.ts';
import { type Part, type Plan, type Wanted } from '../ranking/plan.ts';
import { relevanceOf } from '../ranking/scoring.ts';
import { spacesIn } from '../ranking/spaces.ts';
import { keyOf, subtypeKeyOf } from './filters.ts';
import { hasKey, idOf, soundNamesOf, traitsOf } from './found.ts';

/** The order of entries that were fetched whole: as any engine would have them. Pure. */

/** Of these entries those that belong to a list, the most relevant first. They come by score and id. */
export function ordered(wanted: Wanted, hits: readonly RecordAny[]): readonly string[] {
  const keyed = byKeys(wanted);
  const worth = hits.map((hit) => ({
    id: idOf(hit),
    relevance: relevanceOf(keyed, traitsOf(hit)),
    spaces: spacesIn(soundNamesOf(hit)),
  }));
  return worth
    .filter(({ relevance }) => relevance !== null)
    .toSorted((one, other) => (other.relevance ?? 0) - (one.relevance ?? 0) || one.spaces - other.spaces)
    .map(({ id }) => id);
}

/** Those with a name equal to the query, as typed before as heard. */
export function namesakes({ exact, exactSound }: Plan, hits: readonly RecordAny[]): readonly string[] {
  const typed = hits.filter((hit) => hasKey(hit, 'exact', exact));
  const heard = exactSound === '' ? [] : hits.filter((hit) => hasKey(hit, 'sounds', [exactSound]));
  return [...typed, ...heard].map(idOf);
}

/** Those with a name that could have been meant, the nearest first. They come in the engine's order, not by score. */
export function nearest(words: readonly string[], hits: readonly RecordAny[]): readonly string[] {
  return hits
    .map((hit) => ({
      id: idOf(hit),
      score: Number(hit['score']),
      distance: distanceTo(words, soundNamesOf(hit)),
    }))
    .filter(({ distance }) => distance !== null)
    .toSorted(
      (one, other) =>
        (one.distance ?? 0) - (other.distance ?? 0) ||
        other.score - one.score ||
        (one.id < other.id ? -1 : 1),
    )
    .map(({ id }) => id);
}

/** Kinds and categories as they are stored. */
function byKeys({ parts, share, beside }: Wanted): Wanted {
  return { share, parts: parts.map(partByKeys), beside: beside?.map(conditionByKeys) ?? null };
}

function partByKeys(part: Part): Part {
  return {
    ...part,
    evidence: part.evidence.map((one) => ({ ...one, condition: conditionByKeys(one.condition) })),
    categories: part.categories === null ? null : conditionByKeys(part.categories),
  };
}

function conditionByKeys(condition: Condition): Condition {
  if ('kind' in condition) return { kind: keyOf(condition.kind) };
  if ('subtype' in condition) return { subtype: subtypeKeyOf(condition.subtype) };
  if ('categories' in condition) return { categories: condition.categories.map(keyOf) };
  if ('that' in condition) {
    return { that: conditionByKeys(condition.that), except: conditionByKeys(condition.except) };
  }
  if ('all' in condition) return { all: condition.all.map(conditionByKeys) };
  return 'any' in condition ? { any: condition.any.map(conditionByKeys) } : condition;
}
