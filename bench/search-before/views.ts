import type { PublishedView } from '../../projections/listings/document.ts';
import { createRandom } from '../../src/sample/random.ts';
import { leastEvents, simulatedHistory } from '../../src/sample/simulated/history.ts';

export interface Simulated {
  readonly slug: string;
  readonly view: PublishedView;
}

/** As a projector would make them, but for what was measured: instead of that they have some score. */
export function simulatedViews(count: number): readonly Simulated[] {
  const random = createRandom('scores');
  const history = {
    days: 30,
    seed: 1,
    endMs: Date.UTC(2026, 0, 1),
    entries: count,
    events: leastEvents(count),
  };
  const views: Simulated[] = [];
  for (const { type, subject, data } of simulatedHistory(history)) {
    if (type !== 'catalog.entry.published.v1') continue;
    const score = { value: Math.round(random.uniform() * 1000) / 10 };
    const view = { category: null, ...data, published: true, score } as unknown as PublishedView;
    views.push({ slug: subject, view });
  }
  return views;
}
