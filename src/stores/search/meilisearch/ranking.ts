import { distanceTo } from '../edits.ts';
import { inTraits } from '../ranking/traits.ts';
import type { Plan, Wanted } from '../ranking/plan.ts';
import { relevanceBy } from '../ranking/relevance.ts';
import { spacesIn } from '../ranking/spaces.ts';
import type { Hit } from './found.ts';

/** The order of entries that were fetched whole: as any engine would have them. Pure. */

/** Of these entries those that belong to a list, the most relevant first. They come by score and id. */
export function ordered(wanted: Wanted, hits: readonly Hit[]): readonly string[] {
  const relevanceOf = relevanceBy(wanted, inTraits);
  return hits
    .flatMap(({ id, sounds, traits }) => {
      const relevance = traits && relevanceOf(traits);
      return relevance === null ? [] : [{ id, relevance, spaces: spacesIn(sounds) }];
    })
    .toSorted((one, other) => other.relevance - one.relevance || one.spaces - other.spaces)
    .map(({ id }) => id);
}

/** Those with a name equal to the query, as typed before as heard. */
export function namesakes({ exact, exactSound }: Plan, hits: readonly Hit[]): readonly string[] {
  const typed = hits.filter((hit) => hit.exact.some((name) => exact.includes(name)));
  const heard = hits.filter(({ sounds }) => sounds.includes(exactSound));
  return [...typed, ...heard].map(({ id }) => id);
}

/** Those with a name that could have been meant, the nearest first. They come in the engine's order, not by score. */
export function nearest(words: readonly string[], hits: readonly Hit[]): readonly string[] {
  return hits
    .flatMap(({ id, score, sounds }) => {
      const distance = distanceTo(words, sounds);
      return distance === null ? [] : [{ id, score, distance }];
    })
    .toSorted(
      (one, other) =>
        one.distance - other.distance || other.score - one.score || (one.id < other.id ? -1 : 1),
    )
    .map(({ id }) => id);
}
