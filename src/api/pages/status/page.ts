import { paths } from '../shell/frame.ts';
import type { PageDefinition } from '../shell/page-route.ts';
import { statusView } from './view.ts';

/** The state of the platform, for people: answered always, also while all stores are down. */
export const statusPage: PageDefinition = {
  place: paths.status,
  outlivesStores: true,
  async answer({ status, frame, request }) {
    const shown = await status.current(request.deadline.leftMs());
    return { varying: [], stamps: [shown], view: () => statusView(shown, frame) };
  },
};
