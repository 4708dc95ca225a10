import { labelledTable } from '../../api/pages/parts/table.ts';
import { html, type Html } from '../../api/pages/shell/html.ts';
import type { Health } from '../app.ts';
import type { OperatorVisit } from './visit.ts';

export type Judged = Health & { readonly name: string };

/** What `/readyz` says, in the words of the page; of what is not well, its own words as well. */
export function checksTable(checks: readonly Judged[], visit: OperatorVisit): Html {
  const { checks: words } = visit.texts;
  return labelledTable(
    words.title,
    [
      { title: words.name, cell: ({ name }) => nameOf(name, visit) },
      { title: words.state, cell: (one) => stateOf(one, visit) },
      { title: words.detail, cell: (one) => meaningOf(one, visit) },
    ],
    checks,
  );
}

function meaningOf({ name, ok, degraded = false, detail }: Judged, visit: OperatorVisit): Html {
  const { up, down } = textsOf(name, visit);
  if (ok && !degraded) return html`${up}`;
  return html`${down} <span class="small">${visit.texts.quoted} <code lang="en">${detail}</code></span>`;
}

/** A check that has no name in words is told as a program would. */
function nameOf(name: string, visit: OperatorVisit): Html {
  const told = textsOf(name, visit).name;
  return told === name ? html`<span translate="no">${told}</span>` : html`${told}`;
}

function textsOf(name: string, { texts }: OperatorVisit) {
  const { names } = texts.checks;
  switch (name) {
    case 'process':
    case 'documents':
    case 'search':
    case 'projector':
      return names[name];
    default:
      return { ...names.other, name };
  }
}

function stateOf({ ok, degraded = false }: Health, { texts }: OperatorVisit): Html {
  const state = ok ? (degraded ? 'degraded' : 'up') : 'down';
  return html`<span class="state ${state}">${texts.checks.states[state]}</span>`;
}
