import { type Frame, paths } from '../../shell/frame.ts';
import { html, type Html } from '../../shell/html.ts';
import { layout } from '../../shell/layout.ts';
import { searchButton, searchDialog } from '../search-dialog.ts';
import { termHtml } from '../code-html.ts';
import type { Writing } from '../writing.ts';
import { type ApiDescription, describeApi } from './api-description.ts';
import { operationPart } from './operation.ts';
import { errorsPart, headersPart } from './shared.ts';

/** The reference: every operation of the OpenAPI document, whole without a script; with one, requests can be sent from it. */
export function referencePage(writing: Writing, frame: Frame): Html {
  const { texts, locale, publicUrl } = writing;
  const { referencePage: said } = texts;
  const described = describeApi({ locale, publicUrl });
  const content = html`<div class="reference">
    ${contents(described, writing)}
    <main
      id="content"
      data-copy="${texts.copy}"
      data-copied="${texts.copied}"
      data-base="../../api/v1"
      data-shown-base="${writing.base}"
      data-sending="${said.sending}"
      data-failed="${said.failed}"
      data-answered="${said.answered}"
      data-empty="${said.emptyBody}"
    >
      <div class="prose">
        <h1>${said.title}</h1>
        <p class="lead">${said.lead}</p>
      </div>
      ${keyPart(writing, frame)}${described.tags.map(
        ({ name, description }) =>
          html`<section class="group" id="group-${name}" aria-labelledby="group-${name}-title">
            <h2 id="group-${name}-title">${description.replace(/\.$/, '')}</h2>
            ${described.operations
              .filter(({ tags }) => tags.includes(name))
              .map((one) => operationPart(one, described, writing))}
          </section> `,
      )}${headersPart(described, writing)}${errorsPart(described, writing)}
    </main>
    ${searchDialog(writing, frame)}
  </div> `;
  return layout(
    {
      title: `${said.title}: ${texts.product}`,
      description: said.lead,
      place: paths.reference,
      current: 'reference',
      styles: ['docs.css', 'reference.css'],
      scripts: ['docs.js', 'docs-search.js', 'reference.js'],
      content,
    },
    frame,
  );
}

function contents({ operations }: ApiDescription, writing: Writing): Html {
  const said = writing.texts.referencePage;
  return html`<nav class="contents" aria-labelledby="contents-title">
    ${searchButton(writing)}
    <p id="contents-title">${writing.texts.contents}</p>
    <ol>
      ${operations.map(({ operationId: id, path }) => html`<li><a href="#${id}">${termHtml(path)}</a></li> `)}
      <li><a href="#headers">${said.headersTitle}</a></li>
      <li><a href="#statuses">${said.statusesTitle}</a></li>
    </ol>
  </nav> `;
}

/** The field for the key is no form, so that no browser offers to keep what is typed in. */
function keyPart({ texts, prose }: Writing, { hasAccounts }: Frame): Html {
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
