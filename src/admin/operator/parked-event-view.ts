import { html, type Html } from '../../api/pages/shell/html.ts';
import type { ParkedWhole } from '../../operations/overview.ts';
import { codeBlock, termHtml } from '../../api/pages/parts/facts.ts';
import { commandLine } from '../../platform/text/command-hint.ts';
import { meaningOf } from './act-facts.ts';
import { actLink } from './act-controls.ts';
import { operatorLayout } from './operator-layout.ts';
import type { OperatorVisit } from './operator-context.ts';

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
    [parked.since, format.moment(event.parked_at)],
    [parked.redrives, format.number(event.redrives)],
  ];
  const content = html`<main id="content" class="page">
    <h1>${parked.one}</h1>
    <p>${termHtml(event.id)}</p>
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
    ${event.state === 'parked' ? contents() : html`<p>${parked.settled[event.state]}</p>`}
    <p><a href="/${visit.locale}#parked">${texts.trouble.back}</a></p>
  </main> `;
  return operatorLayout(visit, { title: parked.one, content });

  function contents(): Html {
    return html`<section aria-labelledby="headers">
        <h2 id="headers">${parked.headers}</h2>
        ${codeBlock(event.headers, 'headers')}
      </section>
      <section aria-labelledby="value">
        <h2 id="value">${parked.value}</h2>
        <p class="quiet">
          ${event.value === null ? parked.notKept : say(parked.bytes, { bytes: event.bytes, command })}
        </p>
        ${event.value !== null && codeBlock(event.value, 'value')}
      </section> `;
  }
}
