import { termHtml } from '../../api/pages/parts/facts.ts';
import { html, type Html } from '../../api/pages/shell/html.ts';
import type { Act } from '../../operations/act-log.ts';
import type { Preview } from '../../operations/act-preview.ts';
import type { Version } from '../../operations/list-builds.ts';
import type { OperatorVisit } from './operator-context.ts';

type Fact = readonly [name: string, value: Html | string];

export function factsOf({ subject }: Act, preview: Preview, visit: OperatorVisit): readonly Fact[] {
  const { texts, format, say } = visit;
  const { confirm, parked } = texts;
  switch (preview.kind) {
    case 'redrive':
      return [
        [parked.id, termHtml(subject)],
        [parked.code, reasonOf(preview.code, visit)],
        [parked.reason, html`<span lang="en">${preview.reason}</span>`],
        [parked.builds, html`${preview.builds.map((build) => html`${termHtml(build)} `)}`],
        [parked.redrives, format.number(preview.redrives)],
      ];
    case 'redrive_all':
      return [
        [parked.code, reasonOf(preview.code, visit)],
        [parked.topic, termHtml(preview.topic)],
        ...preview.builds.map(({ build, count }): Fact => [
          build,
          `${parked.count}: ${format.number(count)}`,
        ]),
      ];
    case 'cut_over':
    case 'rollback': {
      const { from, to } = preview;
      const fewer = from.documents - to.documents;
      const lost = fewer > 0 && html` <strong>${say(confirm.fewer, { count: fewer })}</strong>`;
      return [
        [confirm.live, buildFacts(from, visit)],
        [confirm.next, html`${buildFacts(to, visit)}${lost}`],
      ];
    }
    case 'cancel':
      return [[confirm.removed, buildFacts(preview.build, visit)]];
  }
}

function buildFacts({ build, documents, parked, verified_at: at }: Version, visit: OperatorVisit): Html {
  const { texts, format } = visit;
  const { builds: words, parts } = texts;
  return html`${termHtml(build)}. ${words.documents}: ${format.number(documents)}. ${parts.parked.title}:
  ${format.number(parked)}. ${words.verified}: ${format.moment(at)}.`;
}

function reasonOf(code: string, { texts }: OperatorVisit): Html {
  return html`${termHtml(code)} ${meaningOf(code, texts.reasons)}`;
}

/** A newer release may refuse for reasons that this one does not know. */
export function meaningOf(code: string, reasons: Readonly<Record<string, string>>): string {
  return Object.hasOwn(reasons, code) ? (reasons[code] ?? '') : '';
}
