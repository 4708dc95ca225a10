import { KINDS } from '../../../../projections/listings/document.ts';
import { versionsOf } from '../../api-route-contract.ts';
import { treeOf } from '../../reading/category-tree.ts';
import { readTop } from '../../reading/read-top.ts';
import { paths } from '../shell/page-context.ts';
import type { PageDefinition } from '../shell/page-route.ts';
import { homeView } from './view.ts';

/** How many lead each kind here. */
const LEADERS = 5;
/** The part of the time of an answer that the state of the platform may take. */
const PATIENCE = 0.5;

/** The front page: what this is, a search, what leads, what there is, and whether the platform works. */
export const home: PageDefinition = {
  place: paths.home,
  async answer({ reading, status, context, request, parts }) {
    const { collection } = await reading.live('listings');
    const readLeaders = KINDS.map(
      async (kind) => await readTop(reading, { kind, category: null, limit: LEADERS }),
    );
    const [leaders, counts, taxonomy, shown] = await Promise.all([
      Promise.all(readLeaders),
      reading.counts(collection).current(),
      reading.taxonomy(),
      // A catalog can be shown while the monitor is not known yet, after a start: its state is then said to be stale.
      status.current(request.deadline.leftMs() * PATIENCE),
    ]);
    const stamps = leaders.flatMap(({ entries, total }) => [total, ...versionsOf(entries)]);
    return {
      stamps: [taxonomy.digest, counts, shown, ...stamps],
      view: () =>
        homeView(context, {
          tops: KINDS.map((kind, index) => ({ kind, entries: leaders[index]?.entries ?? [] })),
          categories: treeOf(taxonomy, counts, context.locale),
          taxonomy,
          status: shown.body,
          dailyLimit: parts.dailyLimit,
        }),
    };
  },
};
