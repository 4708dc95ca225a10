import type { AuditNote } from '../../../access/accounts/audit.ts';
import { newToken } from '../../../access/accounts/tokens.ts';
import { UsageError } from '../../../platform/errors.ts';
import { accountAddress } from './account-layout.ts';
import { CHART_DAYS } from './usage-chart.ts';
import { dashboardView, type Dashboard } from './dashboard-view.ts';
import type { Form } from '../shell/posted-form.ts';
import { type CreatedKey, OVERLAPS } from './key-view.ts';
import type { Reply, Sent, PageReply } from '../shell/reply.ts';
import type { AccountVisit, Holder, Notice, Refused } from './account-context.ts';

/** What came of an act: why it is refused; else what is noted of it, and what the page says. */
type Outcome = Refused | { readonly note: AuditNote; readonly said: Notice | CreatedKey };

/** What the holder of an account may do. Each is told the form that was sent, which is known to be ours. */
export type Action = (visit: AccountVisit, holder: Holder, form: Form) => Promise<Outcome>;

export const ACTIONS: ReadonlyMap<string, Action> = new Map([
  ['/keys', create],
  ['/keys/name', name],
  ['/keys/rotate', rotate],
  ['/keys/revoke', revoke],
]);

/** Does what a form asks for, and shows what came of it. */
export async function act(action: Action, visit: AccountVisit, holder: Holder, form: Form): Promise<Reply> {
  const outcome = await action(visit, holder, form).catch(refusedLabel);
  if (typeof outcome === 'string') return await dashboard(visit, holder, { refused: outcome });
  const { note, said } = outcome;
  const { account, name: session } = holder.session;
  await visit.parts.accounts.note(account, { ...note, session });
  return typeof said === 'string' ? home(visit, said) : await dashboard(visit, holder, { made: said });
}

/** The one thing that people write themselves is the label. */
function refusedLabel(thrown: unknown): 'label' {
  if (thrown instanceof UsageError) return 'label';
  throw thrown;
}

async function create(visit: AccountVisit, holder: Holder, form: Form): Promise<Outcome> {
  if (!(await isFirst(visit, holder, form))) return 'again';
  const label = labelOf(form);
  const created = await visit.parts.keys.create(holder.session.account, label === null ? {} : { label });
  if (created.outcome === 'limit_reached') return 'full';
  const { id: keyId, key } = created;
  return { note: { action: 'key_created', keyId }, said: { key, replaces: null } };
}

async function rotate(visit: AccountVisit, holder: Holder, form: Form): Promise<Outcome> {
  const id = idOf(form);
  const overlap = OVERLAPS.find((one) => one.name === form['overlap']);
  if (id === null || !overlap) return 'unknown';
  if (!(await isFirst(visit, holder, form))) return 'again';
  const rotated = await visit.parts.keys.rotate(holder.session.account, id, { overlapMs: overlap.ms });
  if (rotated.outcome === 'limit_reached') return 'overlap';
  if (rotated.outcome !== 'rotated') return rotated.outcome;
  const replaces = { id, endsAt: overlap.ms === 0 ? null : rotated.oldEndsAt };
  return { note: { action: 'key_rotated', keyId: id }, said: { key: rotated.key, replaces } };
}

async function name({ parts }: AccountVisit, { session }: Holder, form: Form): Promise<Outcome> {
  const id = idOf(form);
  if (id === null || !(await parts.keys.name(session.account, id, labelOf(form)))) return 'unknown';
  return { note: { action: 'key_named', keyId: id }, said: 'named' };
}

async function revoke({ parts }: AccountVisit, { session }: Holder, form: Form): Promise<Outcome> {
  const id = idOf(form);
  // Of this account alone, whatever id was sent.
  if (id === null || !(await parts.keys.revoke(session.account, id))) return 'unknown';
  return { note: { action: 'key_revoked', keyId: id }, said: 'revoked' };
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

/** Entries of the audit list that are shown. */
const SHOWN_NOTES = 20;

type What = Pick<Dashboard, 'made' | 'notice' | 'refused'>;

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
    form: newToken(),
    ...what,
  };
  return { status: shown.refused === undefined ? 200 : 400, view: dashboardView(shown, visit) };
}

/** Back to the account's page, which says what was done. */
export function home(visit: AccountVisit, done: Notice | null): Sent {
  return { goTo: accountAddress(visit, done === null ? '' : `?done=${done}`) };
}
