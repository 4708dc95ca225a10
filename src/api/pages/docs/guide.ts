import { paragraph, section, type Section } from './blocks.ts';
import { html, type Html } from '../shell/html.ts';
import { type Frame, paths } from '../shell/frame.ts';
import { layout } from '../shell/layout.ts';
import { changes, languages, search } from './sections/catalog.ts';
import { errors } from './sections/errors.ts';
import { limits } from './sections/limits.ts';
import { monitor } from './sections/monitor.ts';
import { score } from './sections/score.ts';
import { authentication, client, quickStart } from './sections/start.ts';
import { searchButton, searchDialog } from './search-dialog.ts';
import type { Writing } from './writing.ts';

/** The developer page: everything that a consumer of the API needs to know, on one page. */
export function guidePage(writing: Writing, frame: Frame): Html {
  const { texts, prose } = writing;
  const sections = guideSections(writing);
  const content = html`<div class="columns">
    <nav class="contents" aria-labelledby="contents-title">
      ${searchButton(writing)}
      <p id="contents-title">${texts.contents}</p>
      <ol>
        ${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li> `)}
      </ol>
    </nav>
    <main id="content" class="prose" data-copy="${texts.copy}" data-copied="${texts.copied}">
      <h1>${texts.product}</h1>
      <p class="lead">${texts.lead}</p>
      ${summary(writing)}${sections.map(section)}
      <div class="upstream">${paragraph(prose(texts.upstream))}</div>
    </main>
    ${searchDialog(writing, frame)}
  </div> `;
  const title = `${texts.title}: ${texts.product}`;
  return layout(
    {
      title,
      description: texts.lead,
      place: paths.guide,
      current: 'guide',
      styles: ['docs.css'],
      scripts: ['docs.js', 'docs-search.js'],
      content,
    },
    frame,
  );
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

export function guideSections(writing: Writing): readonly Section[] {
  return SECTIONS.map((write) => write(writing));
}

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
