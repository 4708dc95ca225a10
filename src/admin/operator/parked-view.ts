import { html, type Html, type Part } from '../../api/pages/shell/html.ts';
import type { ParkedWhole, ParkedSummary, Section } from '../../operations/overview.ts';
import { operatorLayout } from './operator-layout.ts';
import { commandLine } from '../../platform/text/command-hint.ts';
import { meaningOf } from './confirm-view.ts';
import { actLink, mayAct } from './forms.ts';
import type { OperatorVisit } from './operator-visit.ts';
import { type Column, labelledTable } from '../../api/pages/parts/table.ts';
import type { ParkedGroup } from '../../operations/status.ts';

/** Parked events by reason, and the oldest of them. All that events say is text of others, and shown as text. */
export function parkedSection(
  groups: readonly ParkedGroup[],
  oldest: Section<readonly ParkedSummary[]>,
  visit: OperatorVisit,
): Html {
  const { texts, format } = visit;
  const { parked } = texts;
  if (groups.length === 0) return html`<p class="empty">${parked.none}</p> `;
  const byReason = labelledTable(parked.byReason, reasonsOf(groups), [
    {
      title: parked.code,
      cell: ({ code }) =>
        html`<code translate="no">${code}</code>
          <span class="small">${meaningOf(code, texts.reasons)}</span>`,
    },
    { title: parked.topic, cell: ({ topic }) => html`<code translate="no">${topic}</code>` },
    { title: parked.count, cell: ({ count }) => format.number(count), isNumber: true },
    { title: parked.builds, cell: ({ builds }) => html`<span translate="no">${builds.join(', ')}</span>` },
    ...acts(({ topic, code }: ParkedReason) => {
      const subject = `${topic} ${code}`;
      return actLink({ kind: 'redrive_all', subject, label: parked.redriveAll, about: subject }, visit);
    }, visit),
  ]);
  if (!('value' in oldest)) return byReason;
  return html`${byReason}
    <h3>${parked.oldest}</h3>
    ${oldestTable(oldest.value, visit)}`;
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

function oldestTable(events: readonly ParkedSummary[], visit: OperatorVisit): Html {
  const { texts, locale, format } = visit;
  const { parked } = texts;
  return labelledTable(parked.oldest, events, [
    {
      title: parked.id,
      cell: ({ id }) =>
        html`<a href="/${locale}/parked?id=${encodeURIComponent(id)}"><code translate="no">${id}</code></a>`,
    },
    { title: parked.since, cell: ({ parkedAt }) => format.moment(parkedAt), isMoment: true },
    {
      title: parked.type,
      cell: ({ type }) => type !== null && html`<code translate="no">${type}</code>`,
    },
    { title: parked.subject, cell: ({ subject }) => html`<span translate="no">${subject ?? '—'}</span>` },
    { title: parked.reason, cell: ({ reason }) => html`<q lang="en">${reason}</q>` },
    ...acts(
      ({ id }: ParkedSummary) =>
        actLink({ kind: 'redrive', subject: id, label: parked.redrive, about: id }, visit),
      visit,
    ),
  ]);
}

/** A column of what may be done; none where nothing may. */
function acts<Row>(cell: (row: Row) => Part, visit: OperatorVisit): readonly Column<Row>[] {
  return mayAct(visit) ? [{ title: visit.texts.parked.act, cell }] : [];
}

/** One parked event with its headers and bytes. All of it was written by others, and is shown as text. */
export function parkedView(event: ParkedWhole, visit: OperatorVisit): Html {
  const { texts, format, say } = visit;
  const { parked } = texts;
  const command = commandLine(`parked show ${event.id}`);
  const rows: readonly (readonly [string, string | null])[] = [
    [parked.code, event.code],
    [parked.reason, event.reason],
    [parked.type, event.type],
    [parked.subject, event.subject],
    [parked.source, event.source],
    [parked.key, event.key],
    [parked.since, format.moment(event.parkedAt)],
    [parked.redrives, format.number(event.redrives)],
  ];
  const content = html`<main id="content" class="page">
    <h1>${parked.one}</h1>
    <p><code translate="no">${event.id}</code></p>
    <p class="lead">${meaningOf(event.code, texts.reasons)}</p>
    <section class="card">
      <dl class="facts">
        ${rows.map(
          ([name, value]) =>
            html`<dt>${name}</dt>
              <dd translate="no">${value ?? '—'}</dd> `,
        )}
      </dl>
      ${event.state === 'parked' && actLink({ kind: 'redrive', subject: event.id, label: parked.redrive }, visit)}
    </section>
    <section aria-labelledby="headers">
      <h2 id="headers">${parked.headers}</h2>
      <pre
        class="code"
        tabindex="0"
        aria-labelledby="headers"
        role="group"
      ><code translate="no">${event.headers}</code></pre>
    </section>
    <section aria-labelledby="value">
      <h2 id="value">${parked.value}</h2>
      <p class="quiet">${say(parked.bytes, { bytes: event.bytes, command })}</p>
      ${event.value !== null && html`<pre class="code" tabindex="0" aria-labelledby="value" role="group"><code translate="no">${event.value}</code></pre>`}
    </section>
    <p><a href="/${visit.locale}#parked">${texts.trouble.back}</a></p>
  </main> `;
  return operatorLayout(visit, { title: parked.one, content });
}
