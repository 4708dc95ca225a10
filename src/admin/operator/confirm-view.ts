import { html, type Html } from '../../api/pages/shell/html.ts';
import type { Act } from '../../operations/act-log.ts';
import type { Obstacle, Preview } from '../../operations/act-preview.ts';
import { factsOf } from './act-facts.ts';
import { operatorLayout } from './operator-layout.ts';
import type { OperatorVisit } from './operator-visit.ts';

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
            <form method="post" action="/${locale}/act" class="actions">
              <input type="hidden" name="csrf" value="${csrf}" />
              <input type="hidden" name="confirmed" value="${token}" />
              <button class="button ${kind === 'cancel' ? 'danger' : ''}" aria-describedby="what undo">
                ${title}
              </button>
              <a class="button quiet" href="/${locale}">${confirm.back}</a>
            </form> `
        : html`<p class="notice bad">${obstacleText(obstacle, names, visit)}</p>
            <p class="actions"><a class="button" href="/${locale}">${texts.trouble.back}</a></p> `
    }
  </main> `;
  return operatorLayout(visit, { title: `${title}?`, content });
}

type Names = Readonly<Record<string, string>>;

function namesIn(preview: Preview): Names {
  switch (preview.kind) {
    case 'cut_over':
    case 'rollback':
      return { from: preview.from.build, to: preview.to.build, build: preview.to.build };
    case 'cancel':
      return { build: preview.build.build };
    case 'redrive':
    case 'redrive_all':
      return {};
  }
}

function obstacleText(obstacle: Obstacle, names: Names, { texts, say, format }: OperatorVisit): string {
  const text = texts.confirm.obstacle[obstacle.code];
  switch (obstacle.code) {
    case 'not_complete':
      return say(text, names);
    case 'kept':
      return say(text, { ...names, until: format.moment(obstacle.until) });
    case 'unservable':
      return say(text, { ...names, server: obstacle.server });
  }
}
