import { termHtml } from '../../api/pages/parts/facts.ts';
import { html, type Html, type Part } from '../../api/pages/shell/html.ts';
import type { Section } from '../../operations/overview.ts';
import type { ParkedEventFields } from '../../operations/parked-event-fields.ts';
import { meaningOf } from './act-facts.ts';
import { actLink, mayAct } from './act-controls.ts';
import type { OperatorVisit } from './operator-context.ts';
import { type Column, labelledTable } from '../../api/pages/parts/table.ts';
import type { ParkedGroup } from '../../operations/status.ts';

/** Parked events by reason, and the oldest of them. All that events say is text of others, and shown as text. */
export function parkedSection(
  groups: readonly ParkedGroup[],
  oldest: Section<readonly ParkedEventFields[]>,
  visit: OperatorVisit,
): Html {
  const { parked } = visit.texts;
  if (groups.length === 0) return html`<p class="empty">${parked.none}</p> `;
  return html`${reasonsTable(groups, visit)}
  ${
    'value' in oldest &&
    html`<h3>${parked.oldest}</h3>
      ${oldestTable(oldest.value, visit)}`
  }`;
}

function reasonsTable(groups: readonly ParkedGroup[], visit: OperatorVisit): Html {
  const { texts, format } = visit;
  const { parked } = texts;
  return labelledTable(parked.byReason, reasonsOf(groups), [
    {
      title: parked.code,
      cell: ({ code }) =>
        html`${termHtml(code)} <span class="small">${meaningOf(code, texts.reasons)}</span>`,
    },
    { title: parked.topic, cell: ({ topic }) => termHtml(topic) },
    { title: parked.count, cell: ({ count }) => format.number(count), isNumber: true },
    { title: parked.builds, cell: ({ builds }) => html`<span translate="no">${builds.join(', ')}</span>` },
    ...acts(({ topic, code }: ParkedReason) => {
      const subject = `${topic} ${code}`;
      return actLink({ kind: 'redrive_all', subject, label: parked.redriveAll, about: subject }, visit);
    }, visit),
  ]);
}

interface ParkedReason {
  readonly code: string;
  readonly topic: string;
  readonly count: number;
  readonly builds: readonly string[];
}

/** A build is told of beside its reason: what is redriven is redriven in every build. */
function reasonsOf(groups: readonly ParkedGroup[]): readonly ParkedReason[] {
  const byReason = new Map<string, ParkedReason>();
  for (const { topic, code, count, read_model: build } of groups) {
    const known = byReason.get(`${topic} ${code}`) ?? { topic, code, count: 0, builds: [] };
    const reason = { ...known, count: known.count + count, builds: [...known.builds, build] };
    byReason.set(`${topic} ${code}`, reason);
  }
  return [...byReason.values()].sort((a, b) => b.count - a.count);
}

function oldestTable(events: readonly ParkedEventFields[], visit: OperatorVisit): Html {
  const { texts, locale, format } = visit;
  const { parked } = texts;
  return labelledTable(parked.oldest, events, [
    {
      title: parked.id,
      cell: ({ id }) => html`<a href="/${locale}/parked?id=${encodeURIComponent(id)}">${termHtml(id)}</a>`,
    },
    { title: parked.since, cell: ({ parked_at: at }) => format.moment(at), isMoment: true },
    { title: parked.type, cell: ({ type }) => type !== null && termHtml(type) },
    { title: parked.subject, cell: ({ subject }) => html`<span translate="no">${subject ?? '—'}</span>` },
    { title: parked.reason, cell: ({ reason }) => html`<q lang="en">${reason}</q>` },
    ...acts(
      ({ id }: ParkedEventFields) =>
        actLink({ kind: 'redrive', subject: id, label: parked.redrive, about: id }, visit),
      visit,
    ),
  ]);
}

/** A column of what may be done; none where nothing may. */
function acts<Row>(cell: (row: Row) => Part, visit: OperatorVisit): readonly Column<Row>[] {
  return mayAct(visit) ? [{ title: visit.texts.parked.act, cell }] : [];
}
