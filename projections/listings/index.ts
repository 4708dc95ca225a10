import { ENTRIES } from '../../src/events/entry-events.ts';
import { METRICS } from '../../src/events/measurement-events.ts';
import type { Projection } from '../../src/projecting/engine/projection.ts';
import type { Content, ListingRegisters, ListingView, Score } from './document.ts';
import { contribution, documentId, registers } from './event-to-registers.ts';
import { shownMetrics, withinHistory, type ShownMetrics } from './metrics.ts';
import { audienceOf, scoreOf } from './score.ts';
import { entries, searchEntry } from './search-entry.ts';

/** A score formula: pure. The slug is for whoever has to say which entry it makes no score of. */
export type Formula = (content: Content, shown: ShownMetrics, slug: string) => Score;

/** One document for each slug: what is published under it, what was measured, and the score that follows. */
export const listings: Projection<ListingRegisters, ListingView> = {
  name: 'listings',
  version: 2,
  topics: [ENTRIES, METRICS],
  registers,
  indexes: [
    ['view.published', '-view.score.value'],
    ['view.kind', 'view.published', '-view.score.value'],
    ['view.published', 'view.category', '-view.score.value'],
    ['view.published', 'view.kind', 'view.category', '-view.score.value'],
  ],
  documentId,
  contribution,
  view: viewBy(scoreOf),
  trim,
  searchEntry,
  entries,
};

/** The same with another score. */
export function listingsBy(formula: Formula): typeof listings {
  return { ...listings, view: viewBy(formula) };
}

function viewBy(formula: Formula): (slug: string, registers: ListingRegisters) => ListingView {
  return (slug, { content, metrics, audience }) => {
    if (!content?.value) return { published: false };
    const published = content.value;
    const shown = shownMetrics(published.kind, { metrics, audience });
    return {
      ...published,
      published: true,
      updated_at: updatedAt(content.time ?? published.published_at, shown),
      audience: shownAudience(shown),
      score: formula(published, shown, slug),
      ...shown,
    };
  };
}

function trim(untrimmed: ListingRegisters): ListingRegisters {
  const kinds = Object.entries(untrimmed.audience).map(
    ([kind, days]) => [kind, withinHistory(days)] as const,
  );
  const unchanged = kinds.every(([kind, days]) => days === untrimmed.audience[kind]);
  return unchanged ? untrimmed : { ...untrimmed, audience: Object.fromEntries(kinds) };
}

/** The later of what was published and what was measured. */
function updatedAt(contentTime: string, { metrics }: ShownMetrics): string {
  return metrics !== null && metrics.measured_at > contentTime ? metrics.measured_at : contentTime;
}

function shownAudience(shown: ShownMetrics) {
  const value = audienceOf(shown);
  if (value === null) return null;
  const unit = shown.kind === 'channel' ? ('subscribers' as const) : ('monthly_users' as const);
  return { value, unit };
}
