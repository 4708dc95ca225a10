import { html, type Html, NOTHING } from '../../api/pages/shell/html.ts';
import type { Act } from '../../operations/act-notes.ts';
import type { Obstacle, Prospect, SeenBuild } from '../../operations/foresee.ts';
import { operatorLayout } from './operator-layout.ts';
import type { OperatorVisit } from './visit.ts';

interface Confirmation {
  readonly act: Act;
  readonly prospect: Prospect;
  /** Of the act and of what is shown; it is good for one time. */
  readonly token: string;
  readonly csrf: string;
}

/** What an act will do, to what, and whether there is a way back; with the form that does it. */
export function confirmView({ act, prospect, token, csrf }: Confirmation, visit: OperatorVisit): Html {
  const { texts, frame, locale } = visit;
  const { confirm } = texts;
  const { kind } = prospect;
  const names = namesIn(prospect);
  const title = frame.say(confirm.title[kind], names);
  const obstacle = 'obstacle' in prospect ? prospect.obstacle : null;
  const content = html`<main id="content" class="page operator confirm">
    <h1>${title}?</h1>
    <p class="lead" id="what">${frame.say(confirm.what[kind], names)}</p>
    <section class="card" aria-labelledby="facts">
      <h2 id="facts">${confirm.facts}</h2>
      <dl class="facts">
        ${factsOf(act, prospect, visit).map(
          ([name, value]) =>
            html`<dt>${name}</dt>
              <dd>${value}</dd> `,
        )}
      </dl>
    </section>
    ${
      obstacle === null
        ? html`<p id="undo" class="notice plain">
              ${frame.say(confirm.undo[kind === 'redrive_all' ? 'redrive' : kind], names)}
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
  return operatorLayout({ title: `${title}?`, content }, visit);
}

type Names = Readonly<Record<string, string>>;

function namesIn(prospect: Prospect): Names {
  switch (prospect.kind) {
    case 'cut_over':
    case 'rollback':
      return { from: prospect.from.build, to: prospect.to.build, build: prospect.to.build };
    case 'cancel':
      return { build: prospect.build.build };
    case 'redrive':
    case 'redrive_all':
      return {};
  }
}

function obstacleText(obstacle: Obstacle, names: Names, { texts, frame }: OperatorVisit): string {
  const text = texts.confirm.obstacle[obstacle.code];
  switch (obstacle.code) {
    case 'not_complete':
      return frame.say(text, names);
    case 'kept':
      return frame.say(text, { ...names, until: frame.format.moment(obstacle.until) });
    case 'unservable':
      return frame.say(text, { ...names, server: obstacle.server });
  }
}

type Fact = readonly [name: string, value: Html | string];

function factsOf({ subject }: Act, prospect: Prospect, visit: OperatorVisit): readonly Fact[] {
  const { texts, frame } = visit;
  const { confirm, parked } = texts;
  switch (prospect.kind) {
    case 'redrive':
      return [
        [parked.id, named(subject)],
        [parked.code, reasonOf(prospect.code, visit)],
        [parked.reason, html`<span lang="en">${prospect.reason}</span>`],
        [parked.builds, html`${prospect.builds.map((build) => html`${named(build)} `)}`],
        [parked.redrives, frame.format.number(prospect.redrives)],
      ];
    case 'redrive_all':
      return [
        [parked.code, reasonOf(prospect.code, visit)],
        [parked.topic, named(prospect.topic)],
        ...prospect.builds.map(({ build, count }): Fact => [
          build,
          `${parked.count}: ${frame.format.number(count)}`,
        ]),
      ];
    case 'cut_over':
    case 'rollback': {
      const { from, to } = prospect;
      const fewer = from.documents - to.documents;
      const lost = fewer > 0 ? html` <strong>${frame.format.plural(confirm.fewer, fewer)}</strong>` : NOTHING;
      return [
        [confirm.live, buildFacts(from, visit)],
        [confirm.next, html`${buildFacts(to, visit)}${lost}`],
      ];
    }
    case 'cancel':
      return [[confirm.removed, buildFacts(prospect.build, visit)]];
  }
}

function buildFacts({ build, documents, parked, verified_at: at }: SeenBuild, visit: OperatorVisit): Html {
  const { builds: words, parts } = visit.texts;
  const { format } = visit.frame;
  return html`${named(build)}. ${words.documents}: ${format.number(documents)}. ${parts.parked.title}:
  ${format.number(parked)}. ${words.verified}: ${format.moment(at)}.`;
}

function reasonOf(code: string, { texts }: OperatorVisit): Html {
  return html`${named(code)} ${meaningOf(code, texts.reasons)}`;
}

/** A newer release may refuse for reasons that this one does not know. */
export function meaningOf(code: string, reasons: Readonly<Record<string, string>>): string {
  return Object.hasOwn(reasons, code) ? (reasons[code] ?? '') : '';
}

function named(name: string): Html {
  return html`<code translate="no">${name}</code>`;
}
