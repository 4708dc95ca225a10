import type { ShownStatus } from '../../../monitor/reading/status-reader.ts';
import { fields } from '../../http/response/headers.ts';
import { type PageContext, paths } from '../shell/page-context.ts';
import type { Html } from '../shell/html.ts';
import type { PageDefinition } from '../shell/page-route.ts';
import { badgeView, incidentFeedView } from './feed-and-badge.ts';
import { statusView } from './view.ts';

/** The state of the platform, for people: answered always, also while all stores are down. */
export const statusPage = shownBy(paths.status, statusView);

export const incidentFeed: PageDefinition = {
  ...shownBy(paths.incidents, incidentFeedView),
  xmlType: 'application/atom+xml; charset=utf-8',
};

export const badge: PageDefinition = {
  ...shownBy(paths.badge, badgeView),
  xmlType: 'image/svg+xml; charset=utf-8',
  // It may stand on anybody's page.
  policy: fields({
    'Content-Security-Policy': "default-src 'none'",
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }),
};

function shownBy(
  place: PageDefinition['place'],
  view: (shown: ShownStatus, context: PageContext) => Html,
): PageDefinition {
  return {
    place,
    outlivesStores: true,
    async answer({ status, context, request }) {
      const shown = await status.current(request.deadline.leftMs());
      return { stamps: [shown], view: () => view(shown, context) };
    },
  };
}
