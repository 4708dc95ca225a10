import { isCommon } from '../../../openapi/headers.ts';
import { html, type Html } from '../../shell/html.ts';
import { termHtml } from '../../parts/facts.ts';
import type { DocsContext } from '../docs-context.ts';
import type { Answer } from '../../../openapi/error-responses.ts';
import { bodyOf, type ApiDescription, type Operation } from './api-description.ts';
import { fieldList } from './fields.ts';
import { parameterForm, initialUrl } from './parameter-form.ts';
import { exampleOf, headerAnchor, statusAnchor } from './headers-and-errors.ts';
import { samples } from './samples.ts';

/** An operation in three columns: what it is, what to send, what comes back. */
export function operationPart(operation: Operation, described: ApiDescription, context: DocsContext): Html {
  const { texts, base, locale } = context;
  const said = texts.referencePage;
  const { operationId: id, path, summary, description, links } = operation;
  return html`<section class="operation" id="${id}" aria-labelledby="${id}-title">
    <div class="what">
      <h3 id="${id}-title"><a href="#${id}">${summary}</a></h3>
      <p class="address"><span class="method">GET</span> <code translate="no">${pathMarked(path)}</code></p>
      <p>${description}</p>
      ${links.map(
        (link) =>
          html`<p class="next">
            ${said.next} <a href="#${link.operationId}">${termHtml(link.operationId)}</a>. ${link.description}
          </p> `,
      )}
    </div>
    <div class="give">
      <h4>${said.toSend}</h4>
      ${parameterForm(operation, described.schemas, context)}${samples(id, initialUrl(base, operation, locale), said.samples)}
    </div>
    <div class="get">
      <h4>${said.comesBack}</h4>
      ${outcome(context)}${good(operation, described, context)}${others(operation, context)}
    </div>
  </section> `;
}

function pathMarked(path: string): Html {
  const parts = path.split(/(\{\w+\})/);
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<var>${part}</var>` : html`${part}`))}`;
}

/** Where the script shows what a request that was sent from here has come back with. */
function outcome({ texts }: DocsContext): Html {
  const said = texts.referencePage;
  return html`<div class="outcome" hidden>
    <p class="outcome-status" role="status"></p>
    <details>
      <summary>${said.receivedHeaders}</summary>
      <pre class="outcome-headers" tabindex="0" aria-label="${said.receivedHeaders}"></pre>
    </details>
    <pre class="outcome-body" tabindex="0" aria-label="${said.receivedBody}"></pre>
  </div> `;
}

function good({ answers }: Operation, { schemas }: ApiDescription, context: DocsContext): Html | null {
  const answer = answers.get('200');
  const body = answer && bodyOf(answer);
  if (!body) return null;
  const said = context.texts.referencePage;
  return html`<p class="status">${statusLabel('200')} ${answer.description}</p>
    ${exampleOf(answer, said.example)}
    <h5>${said.fields}</h5>
    ${fieldList(body.schema, body.example, schemas, context)}${besideCommon(answer, context)}`;
}

function besideCommon({ headers }: Answer, { texts }: DocsContext): Html {
  const said = texts.referencePage;
  const own = Object.keys(headers).filter((name) => !isCommon(name));
  const named = own.map((name) => html` <a href="#${headerAnchor(name)}">${termHtml(name)}</a>`);
  return html`<p class="beside"><a href="#headers">${said.commonHeaders}</a>; ${said.besides}${named}.</p> `;
}

function others({ answers }: Operation, { texts }: DocsContext): Html {
  const statuses = [...answers].filter(([status]) => status !== '200');
  return html`<h5>${texts.referencePage.otherwise}</h5>
    <ul class="statuses">
      ${statuses.map(
        ([status, { description }]) =>
          html`<li>
            <a href="#${statusAnchor(status)}">${statusLabel(status)}</a> <span>${description}</span>
          </li> `,
      )}
    </ul> `;
}

function statusLabel(status: string): Html {
  const kind = status < '300' ? 'good' : status < '400' ? 'neutral' : status < '500' ? 'warn' : 'bad';
  return html`<span class="label ${kind}">${status}</span>`;
}
