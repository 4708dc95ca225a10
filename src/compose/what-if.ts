import type {
  Content,
  ListingRegisters,
  ListingView,
  PublishedView,
  Score,
} from '../../projections/listings/document.ts';
import { listings } from '../../projections/listings/index.ts';
import type { ShownMetrics } from '../../projections/listings/metrics.ts';
import type { Projection } from '../projecting/engine/projection.ts';

/** A score formula, as `scoreOf` in score.ts is one: pure, and given what that is given. */
export type Formula = (content: Content, shown: ShownMetrics) => Score;

/**
 * The listings with another score. It is put in place of the shipped one in a view that is made already, so that the shipped
 * fold needs no opening for it. `formula` may throw: it is told whose score it was.
 */
export function listingsWith(
  formula: (slug: string, content: Content, shown: ShownMetrics) => Score,
): Projection<ListingRegisters, ListingView> {
  return {
    ...listings,
    view: (slug, registers) => {
      const view = listings.view(slug, registers);
      if (!view.published) return view;
      return { ...view, score: formula(slug, contentOf(view), shownOf(view)) };
    },
  };
}

/** What was published: nothing that is computed of it, as the shipped formula sees nothing of that. */
function contentOf(view: PublishedView): Content {
  const {
    published: _published,
    updated_at: _at,
    audience: _audience,
    score: _score,
    metrics: _metrics,
    ...content
  } = view;
  return content;
}

function shownOf({ kind, metrics }: PublishedView): ShownMetrics {
  // The discriminated pair, which taking it apart has lost.
  return { kind, metrics } as ShownMetrics;
}
