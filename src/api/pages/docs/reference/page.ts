import { paths } from '../../shell/page-context.ts';
import { html, type Html } from '../../shell/html.ts';
import { termHtml } from '../../parts/facts.ts';
import { docsLayout } from '../docs-layout.ts';
import type { DocsPageContext, DocsContext } from '../docs-context.ts';
import { type ApiDescription, describeApi } from './api-description.ts';
import { operationPart } from './operation.ts';
import { errorsPart, headersPart } from './headers-and-errors.ts';

/** The reference: every operation of the OpenAPI document, whole without a script; with one, requests can be sent from it. */
export function referencePage(context: DocsPageContext): Html {
  const { texts, locale, publicUrl } = context;
  const { referencePage: said } = texts;
  const described = describeApi({ locale, publicUrl });
  const main = html`<main
    id="content"
    data-copy="${texts.copy}"
    data-copied="${texts.copied}"
    data-base="../../api/v1"
    data-shown-base="${context.base}"
    data-sending="${said.sending}"
    data-failed="${said.failed}"
    data-answered="${said.answered}"
    data-empty="${said.emptyBody}"
  >
    <div class="prose">
      <h1>${said.title}</h1>
      <p class="lead">${said.lead}</p>
    </div>
    ${keyPart(context)}${described.tags.map(
      ({ name, description }) =>
        html`<section class="group" id="group-${name}" aria-labelledby="group-${name}-title">
          <h2 id="group-${name}-title">${description.replace(/\.$/, '')}</h2>
          ${described.operations
            .filter(({ tags: [tag] }) => tag === name)
            .map((one) => operationPart(one, described, context))}
        </section> `,
    )}${headersPart(described, context)}${errorsPart(described, context)}
  </main> `;
  return docsLayout(context, {
    title: `${said.title}: ${texts.product}`,
    description: said.lead,
    place: paths.reference,
    current: 'reference',
    contents: { title: texts.contents, items: itemsOf(described, context) },
    main,
  });
}

function itemsOf({ operations }: ApiDescription, { texts }: DocsContext): readonly Html[] {
  const { headersTitle, statusesTitle } = texts.referencePage;
  const item = (id: string, title: string | Html) => html`<li><a href="#${id}">${title}</a></li> `;
  return [
    ...operations.map(({ operationId, path }) => item(operationId, termHtml(path))),
    item('headers', headersTitle),
    item('statuses', statusesTitle),
  ];
}

/** The field for the key is no form, so that no browser offers to keep what is typed in. */
function keyPart({ texts, prose, hasAccounts }: DocsContext): Html {
  const said = texts.referencePage;
  return html`<div class="key" role="group" aria-labelledby="key-title">
    <p class="key-title" id="key-title"><label for="key">${said.key}</label></p>
    <div class="key-field" data-scripted hidden>
      <input
        id="key"
        type="password"
        autocomplete="off"
        spellcheck="false"
        placeholder="cat_live_…"
        aria-describedby="key-about key-state"
      />
      <button class="button quiet" type="button" id="key-forget" disabled>${said.forget}</button>
    </div>
    <p id="key-state" role="status" data-used="${said.keyUsed}" data-wrong="${said.keyWrong}"></p>
    <p id="key-about">${prose(said.keyIs)}</p>
    <p>${prose(hasAccounts ? said.keyFromAccount : said.keyFromOperator)}</p>
    <noscript><p>${prose(said.noScript)}</p></noscript>
  </div> `;
}
