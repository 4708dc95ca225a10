import { ACT_KINDS, type Act } from '../../operations/act-log.ts';
import { messageOf } from '../../platform/errors.ts';
import { confirmView } from './confirm-view.ts';
import { parkedView } from './parked-event-view.ts';
import { errorView } from './error-view.ts';
import { operatorView } from './operator-view.ts';
import type { PageReply } from '../../api/pages/shell/reply.ts';
import type { OperatorPageParts, OperatorVisit } from './operator-context.ts';

const NOTICES = ['begun', 'ended', 'busy'] as const;
export type Notice = (typeof NOTICES)[number];

/** What is read: the page, one parked event, and what an act would do. */
export function createPage({ operator, readHealth }: OperatorPageParts) {
  return async (visit: OperatorVisit): Promise<PageReply> => {
    const { path, query } = visit;
    if (path === '' || path === '/')
      return await page(visit, NOTICES.find((one) => one === query.get('done')) ?? null);
    if (operator === null) return errorView(visit, 'missing');
    try {
      switch (path) {
        case '/parked': {
          const event = await operator.parked(query.get('id') ?? '');
          return event ? { status: 200, view: parkedView(event, visit) } : errorView(visit, 'missing');
        }
        case '/confirm':
          return await confirm(visit, actIn(query));
        default:
          return errorView(visit, 'missing');
      }
    } catch (thrown) {
      return errorView(visit, 'unavailable', { said: messageOf(thrown) });
    }
  };

  async function page(visit: OperatorVisit, notice: Notice | null): Promise<PageReply> {
    const checks = await readHealth();
    try {
      const overview = operator === null ? null : await operator.overview();
      return { status: 200, view: operatorView({ checks, overview, notice, trouble: null }, visit) };
    } catch (thrown) {
      // A store that is down is when the page is wanted most: it says what it can.
      return {
        status: 503,
        view: operatorView({ checks, overview: null, notice, trouble: messageOf(thrown) }, visit),
      };
    }
  }

  async function confirm(visit: OperatorVisit, act: Act | null): Promise<PageReply> {
    const { session, role } = visit;
    if (act === null) return errorView(visit, 'missing');
    if (role !== 'project') return errorView(visit, 'elsewhere');
    if (session === null) return errorView(visit, 'locked');
    const preview = (await operator?.preview(act)) ?? null;
    if (preview === null) return errorView(visit, 'gone');
    const token = session.confirmations.add({ act, preview });
    return { status: 200, view: confirmView({ act, preview, token, csrf: session.csrf }, visit) };
  }
}

/** null where it is nothing that has to be confirmed. What is named is looked up, not trusted. */
function actIn(query: URLSearchParams): Act | null {
  const kind = ACT_KINDS.find((one) => one === query.get('kind'));
  const subject = query.get('subject') ?? '';
  const to = query.get('to');
  if (kind === undefined || kind === 'verify' || subject.length > 500) return null;
  return { kind, subject, ...(to === null ? {} : { to }) };
}
