import type { AuditNote } from '../../../access/accounts/audit.ts';
import { newToken } from '../../../access/accounts/tokens.ts';
import { PLACES } from '../../../access/keys/account-keys.ts';
import { UsageError } from '../../../platform/errors.ts';
import { paths } from '../shell/page-context.ts';
import { CHART_DAYS } from './usage-chart.ts';
import { dashboardView, type Dashboard } from './dashboard-view.ts';
import type { Form } from '../shell/form.ts';
import { OVERLAPS } from './key-view.ts';
import type { Reply, Sent, PageReply } from '../shell/reply.ts';
import type { AccountVisit, Holder, Notice, Refused } from './account-visit.ts';

/** What the holder of an account may do. Each is told the form that was sent, which is known to be ours. */
export type Action = (visit: AccountVisit, holder: Holder, form: Form) => Promise<Reply>;

export const ACTIONS: ReadonlyMap<string, Action> = new Map([
  ['/keys', create],
  ['/keys/name', name],
  ['/keys/rotate', rotate],
  ['/keys/revoke', revoke],
]);

/** Entries of the audit list that are shown. */
const SHOWN_NOTES = 20;

type What = Partial<Pick<Dashboard, 'made' | 'notice' | 'refused'>>;

/** The page of the account as it stands now. */
export async function dashboard(
  { parts, ...visit }: AccountVisit,
  { session }: Holder,
  what: What = {},
): Promise<PageReply> {
  const { account } = session;
  const [keys, usage, history] = await Promise.all([
    parts.keys.list(account),
    parts.keys.usage(account, CHART_DAYS),
    parts.accounts.history(account, SHOWN_NOTES),
  ]);
  const shown: Dashboard = {
    session,
    keys,
    usage,
    history,
    dailyLimit: parts.dailyLimit,
    places: PLACES,
    now: usage.now,
    form: newToken(),
    made: null,
    notice: null,
    refused: null,
    ...what,
  };
  return { status: shown.refused === null ? 200 : 400, view: dashboardView(shown, visit) };
}

async function create(visit: AccountVisit, holder: Holder, form: Form): Promise<Reply> {
  const label = labelOf(form);
  if (!(await isFirst(visit, holder, form))) return await refused(visit, holder, 'again');
  const created = await sayingLabel(() =>
    visit.parts.keys.create(holder.session.account, label === null ? {} : { label }),
  );
  if (created === 'label') return await refused(visit, holder, 'label');
  if (created.outcome === 'limit_reached') return await refused(visit, holder, 'full');
  await note(visit, holder, { action: 'key_created', keyId: created.id });
  return await dashboard(visit, holder, { made: { key: created.key, replaces: null } });
}

async function rotate(visit: AccountVisit, holder: Holder, form: Form): Promise<Reply> {
  const id = idOf(form);
  const overlap = OVERLAPS.find((one) => one.name === form['overlap']);
  if (id === null || !overlap) return await refused(visit, holder, 'unknown');
  if (!(await isFirst(visit, holder, form))) return await refused(visit, holder, 'again');
  const rotated = await visit.parts.keys.rotate(holder.session.account, id, { overlapMs: overlap.ms });
  switch (rotated.outcome) {
    case 'limit_reached':
      return await refused(visit, holder, 'overlap');
    case 'unknown':
    case 'ended':
    case 'expiring':
      return await refused(visit, holder, rotated.outcome);
    case 'rotated':
      break;
  }
  await note(visit, holder, { action: 'key_rotated', keyId: id });
  const replaces = { id, endsAt: overlap.ms === 0 ? null : rotated.oldEndsAt };
  return await dashboard(visit, holder, { made: { key: rotated.key, replaces } });
}

async function name(visit: AccountVisit, holder: Holder, form: Form): Promise<Reply> {
  const id = idOf(form);
  if (id === null) return await refused(visit, holder, 'unknown');
  const named = await sayingLabel(() => visit.parts.keys.name(holder.session.account, id, labelOf(form)));
  if (named === 'label') return await refused(visit, holder, 'label');
  if (!named) return await refused(visit, holder, 'unknown');
  await note(visit, holder, { action: 'key_named', keyId: id });
  return home(visit, 'named');
}

async function revoke(visit: AccountVisit, holder: Holder, form: Form): Promise<Reply> {
  const id = idOf(form);
  const { account } = holder.session;
  // Of this account alone, whatever id was sent.
  if (id === null || !(await visit.parts.keys.revoke(account, id)))
    return await refused(visit, holder, 'unknown');
  await note(visit, holder, { action: 'key_revoked', keyId: id });
  return home(visit, 'revoked');
}

/** Back to the account's page, which says what was done. */
export function home({ locale, root }: AccountVisit, done: Notice | null): Sent {
  return { goTo: `${root}${paths.account(locale)}${done === null ? '' : `?done=${done}`}` };
}

function refused(visit: AccountVisit, holder: Holder, why: Refused): Promise<PageReply> {
  return dashboard(visit, holder, { refused: why });
}

function note({ parts }: AccountVisit, { session }: Holder, done: AuditNote): Promise<void> {
  return parts.accounts.note(session.account, { ...done, session: session.name });
}

async function isFirst({ parts }: AccountVisit, { token }: Holder, { form = '' }: Form): Promise<boolean> {
  return /^\w{43}$/.test(form) && (await parts.accounts.sessions.isFirst(token, form));
}

/** Spaces around a name are slips; a name of nothing is none. */
function labelOf({ label = '' }: Form): string | null {
  return label.trim() === '' ? null : label.trim();
}

function idOf({ id = '' }: Form): string | null {
  return /^k_[0-9A-Za-z]{1,32}$/.test(id) ? id : null;
}

/** The one thing that people write themselves is the label. */
async function sayingLabel<T>(work: () => Promise<T>): Promise<T | 'label'> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof UsageError) return 'label';
    throw thrown;
  }
}
