import { isCommon } from '../../../openapi/headers.ts';
import { termHtml } from '../../parts/facts.ts';
import { labelledTable } from '../../parts/table.ts';
import { html, type Html, type Part } from '../../shell/html.ts';
import { codeHtml } from '../markdown-html.ts';
import type { DocsContext } from '../docs-context.ts';
import type { Header } from '../../../openapi/headers.ts';
import type { Answer } from '../../../openapi/error-responses.ts';
import { bodyOf, type ApiDescription } from './api-description.ts';
import { shapeOf } from './schema-shape.ts';

/** What operations share, said once: the headers of answers, and the answers that are no 200. */

export function headerAnchor(name: string): string {
  return `header-${name.toLowerCase()}`;
}

export function statusAnchor(status: string): string {
  return `status-${status}`;
}

export function headersPart({ headers, schemas }: ApiDescription, { texts }: DocsContext): Html {
  const said = texts.referencePage;
  const form = ({ schema }: Header) => {
    const { values, bounds, type } = shapeOf(schema, schemas);
    return values.length > 0 ? html`${values.map(termHtml)}` : html`${type} ${bounds}`;
  };
  return html`<section class="shared prose" id="headers" aria-labelledby="headers-title">
    <h2 id="headers-title"><a href="#headers">${said.headersTitle}</a></h2>
    <p>${said.headersIntro}</p>
    ${labelledTable(said.header, Object.entries(headers), [
      {
        title: said.header,
        cell: ([name]) => html`<span id="${headerAnchor(name)}">${termHtml(name)}</span>`,
      },
      { title: said.meaning, cell: ([, { description }]) => description },
      { title: said.carried, cell: ([name]) => (isCommon(name) ? said.always : said.sometimes) },
      {
        title: said.form,
        cell: ([, header]) => html`<span class="type" translate="no">${form(header)}</span>`,
      },
    ])}
  </section> `;
}

export function errorsPart({ operations }: ApiDescription, { texts, prose }: DocsContext): Html {
  const said = texts.referencePage;
  const all = new Map<string, Answer>();
  for (const { answers } of operations) for (const [status, answer] of answers) all.set(status, answer);
  all.delete('200');
  const sorted = [...all].toSorted(([a], [b]) => a.localeCompare(b));
  return html`<section class="shared prose" id="statuses" aria-labelledby="statuses-title">
    <h2 id="statuses-title"><a href="#statuses">${said.statusesTitle}</a></h2>
    <p>${prose(said.statusesIntro)}</p>
    <div class="answers">
      ${sorted.map(
        ([status, answer]) =>
          html`<div class="answer" id="${statusAnchor(status)}">
            <h3><a href="#${statusAnchor(status)}">${status}</a></h3>
            <p>${answer.description}</p>
            ${own(answer)}${exampleOf(answer, said.example)}
          </div> `,
      )}
    </div>
  </section> `;
}

function own({ headers }: Answer): Html | null {
  const names = Object.keys(headers).filter((name) => !isCommon(name));
  if (names.length === 0) return null;
  return html`<p>${names.map((name) => html`<a href="#${headerAnchor(name)}">${termHtml(name)}</a> `)}</p> `;
}

/** The body that an answer has, as an example; nothing where it has none. */
export function exampleOf(answer: Answer, caption: string): Part {
  const body = bodyOf(answer);
  return (
    body !== null && codeHtml({ caption, language: 'json', text: JSON.stringify(body.example, null, 2) })
  );
}
