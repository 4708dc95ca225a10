import type { Assets } from './assets.ts';
import { html, paragraph, section, type Html } from './blocks.ts';
import { layout } from './layout.ts';
import { changes, monitor, score, search } from './sections/catalog.ts';
import { errors, languages, limits } from './sections/rules.ts';
import { authentication, client, quickStart } from './sections/start.ts';
import type { Writing } from './writing.ts';

/** The developer page: everything that a consumer of the API needs to know, on one page. */
export function guidePage(writing: Writing, assets: Assets): Html {
  const { texts, prose } = writing;
  const sections = SECTIONS.map((write) => write(writing));
  const content = html`<div class="columns">
    <nav class="contents" aria-labelledby="contents-title">
      <p id="contents-title">${texts.contents}</p>
      <ol>
        ${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li> `)}
      </ol>
    </nav>
    <main id="content" class="prose">
      <h1>${texts.product}</h1>
      <p class="lead">${texts.lead}</p>
      ${summary(writing)}${sections.map(section)}
      <footer>${paragraph(prose(texts.upstream))}</footer>
    </main>
  </div> `;
  const title = `${texts.title}: ${texts.product}`;
  return layout({ title, path: '', styles: ['docs.css'], scripts: ['docs.js'], content }, writing, assets);
}

const SECTIONS = [
  quickStart,
  authentication,
  limits,
  errors,
  search,
  languages,
  score,
  monitor,
  changes,
  client,
] as const;

/** What one looks for first. */
function summary({ texts, prose }: Writing): Html {
  const { base, key, keyIs, limit, limitIs, machine, machineIs } = texts.summary;
  const facts = [
    [base, '`{base}`'],
    [key, keyIs],
    [limit, limitIs],
    [machine, machineIs],
  ] as const;
  return html`<dl class="summary">
    ${facts.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${prose(value)}</dd>
        </div> `,
    )}
  </dl> `;
}

/** The interactive reference: Swagger UI on the OpenAPI document, with what it does not say itself around it. */
export function referencePage(writing: Writing, assets: Assets): Html {
  const { texts, prose, locale } = writing;
  const { referencePage: said } = texts;
  // Swagger UI brings the page's main landmark.
  const content = html`<div id="content" class="wide">
    <div class="prose">
      <h1>${said.title}</h1>
      <p class="lead">${said.lead}</p>
      <ol class="steps">
        ${said.steps.map((step) => html`<li>${prose(step)}</li> `)}
      </ol>
      ${paragraph(prose(said.key))}<noscript>${paragraph(prose(said.noScript))}</noscript>
    </div>
    <div
      id="reference"
      data-description="../../openapi.json?lang=${locale}"
      data-base="../../api/v1"
      data-failed="${said.failed}"
    ></div>
  </div> `;
  const title = `${said.title}: ${texts.product}`;
  const styles = ['docs.css', 'swagger-ui.css', 'reference.css'] as const;
  const scripts = ['swagger-ui-bundle.js', 'reference.js'] as const;
  return layout({ title, path: '/reference', styles, scripts, content }, writing, assets);
}
