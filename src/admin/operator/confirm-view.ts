import { html, type Html } from '../../api/pages/shell/html.ts';
import { postForm } from '../../api/pages/shell/posted-form.ts';
import type { Act } from '../../operations/act-log.ts';
import type { Obstacle, Preview } from '../../operations/act-preview.ts';
import { factsOf } from './act-facts.ts';
import { operatorLayout } from './operator-layout.ts';
import type { OperatorVisit } from './operator-context.ts';

interface Confirmation {
  readonly act: Act;
  readonly preview: Preview;
  /** Of the act and of what is shown; it is good for one time. */
  readonly token: string;
  readonly csrf: string;
}

/** What an act will do, to what, and whether there is a way back; with the form that does it. */
export function confirmView({ act, preview, token, csrf }: Confirmation, visit: OperatorVisit): Html {
  const { texts, locale, say } = visit;
  const { confirm } = texts;
  const { kind } = preview;
  const names = namesIn(preview);
  const title = say(confirm.title[kind], names);
  const obstacle = 'obstacle' in preview ? preview.obstacle : null;
  const buttons = html`<button
      class="button ${kind === 'cancel' ? 'danger' : ''}"
      aria-describedby="what undo"
    >
      ${title}
    </button>
    <a class="button quiet" href="/${locale}">${confirm.back}</a>`;
  const content = html`<main id="content" class="page operator confirm">
    <h1>${title}?</h1>
    <p class="lead" id="what">${say(confirm.what[kind], names)}</p>
    <section class="card" aria-labelledby="facts">
      <h2 id="facts">${confirm.facts}</h2>
      <dl class="facts">
        ${factsOf(act, preview, visit).map(
          ([name, value]) =>
            html`<dt>${name}</dt>
              <dd>${value}</dd> `,
        )}
      </dl>
    </section>
    ${
      obstacle === null
        ? html`<p id="undo" class="notice plain">
              ${say(confirm.undo[kind === 'redrive_all' ? 'redrive' : kind], names)}
            </p>
            ${postForm(`/${locale}/act`, { csrf, confirmed: token }, buttons, 'actions')}`
        : html`<p class="notice bad">${obstacleText(obstacle, names, visit)}</p>
            <p class="actions"><a class="button" href="/${locale}">${texts.trouble.back}</a></p> `
    }
  </main> `;
  return operatorLayout(visit, { title: `${title}?`, content });
}

type Names = Readonly<Record<string, string>>;

function namesIn(preview: Preview): Names {
  if ('to' in preview) return { from: preview.from.build, to: preview.to.build, build: preview.to.build };
  return 'build' in preview ? { build: preview.build.build } : {};
}

function obstacleText(obstacle: Obstacle, names: Names, { texts, say, format }: OperatorVisit): string {
  const until = 'until' in obstacle ? format.moment(obstacle.until) : '';
  const server = 'server' in obstacle ? obstacle.server : '';
  return say(texts.confirm.obstacle[obstacle.code], { ...names, until, server });
}
