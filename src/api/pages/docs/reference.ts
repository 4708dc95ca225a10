import { paragraph } from './blocks.ts';
import { html, type Html } from '../shell/html.ts';
import { type Frame, paths } from '../shell/frame.ts';
import { layout } from '../shell/layout.ts';
import type { Writing } from './writing.ts';

/** The interactive reference: Swagger UI on the OpenAPI document, with what it does not say itself around it. */
export function referencePage(writing: Writing, frame: Frame): Html {
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
  return layout(
    { title, description: said.lead, place: paths.reference, current: 'reference', styles, scripts, content },
    frame,
  );
}
