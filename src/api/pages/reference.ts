import type { Assets } from './assets.ts';
import { paragraph } from './blocks.ts';
import { html, type Html } from './html.ts';
import { layout } from './layout.ts';
import type { Writing } from './writing.ts';

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
