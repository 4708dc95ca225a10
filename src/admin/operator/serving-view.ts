import { labelledTable } from '../../api/pages/parts/table.ts';
import { html, type Html, NOTHING } from '../../api/pages/shell/html.ts';
import type { QuotaToday } from '../../operating/quota-today.ts';
import type { SearchStatus } from '../../operating/status.ts';
import type { OperatorVisit } from './visit.ts';

export function searchSection(indexes: readonly SearchStatus[], { texts, frame }: OperatorVisit): Html {
  const { search } = texts;
  const { format } = frame;
  return labelledTable(
    texts.parts.search.title,
    [
      { title: search.index, cell: ({ index }) => html`<code translate="no">${index}</code>` },
      {
        title: search.state,
        cell: ({ fed, filling, trouble }) => {
          if (trouble !== null)
            return html`<span class="state down">${search.states.trouble}</span> <q lang="en">${trouble}</q>`;
          if (filling) return html`<span class="state degraded">${search.states.filling}</span>`;
          return html`<span class="state ${fed ? 'up' : 'degraded'}"
            >${fed ? search.states.fed : search.states.unfed}</span
          >`;
        },
      },
      { title: search.waiting, cell: ({ waiting }) => format.number(waiting), isNumber: true },
      { title: search.confirming, cell: ({ confirming }) => format.number(confirming), isNumber: true },
      {
        title: search.behind,
        cell: ({ behind_ms: ms }) => (ms === null ? '—' : format.duration(ms / 1000)),
        isNumber: true,
      },
      {
        title: search.refused,
        cell: ({ refused, refusals: [first] }) =>
          html`${format.number(refused)}${first === undefined ? NOTHING : html` <span lang="en" class="small">${first.document}: ${first.reason}</span>`}`,
        isNumber: true,
      },
    ],
    indexes,
  );
}

export function quotaSection(today: QuotaToday, { texts, frame }: OperatorVisit): Html {
  const { quota } = texts;
  const { format } = frame;
  const rows = [
    [quota.requests, format.number(today.requests)],
    [quota.asking, format.number(today.asking)],
    [quota.full, format.number(today.full)],
    [quota.limit, format.number(today.limit)],
    [quota.accounts, `${today.more ? '> ' : ''}${format.number(today.accounts)}`],
  ] as const;
  return html`<dl class="figures">
      ${rows.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div> `,
      )}
    </dl>
    ${
      today.busiest.length === 0
        ? NOTHING
        : labelledTable(
            quota.busiest,
            [
              { title: quota.place, cell: ({ place }) => html`<code translate="no">${place}</code>` },
              { title: quota.requests, cell: ({ requests }) => format.number(requests), isNumber: true },
            ],
            today.busiest,
          )
    }`;
}
