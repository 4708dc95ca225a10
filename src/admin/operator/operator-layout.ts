import { LOCALES } from '../../texts/texts.ts';
import { html, type Html } from '../../api/pages/shell/html.ts';
import { LANGUAGE_NAMES, layout, mark } from '../../api/pages/shell/layout.ts';
import type { OperatorVisit } from './operator-visit.ts';

interface OperatorPage {
  readonly title: string;
  readonly content: Html;
  /** Whether the page looks again by itself. */
  readonly refreshes?: boolean;
  /** As in `OperatorVisit`, where the reader is to go on from another place. */
  readonly place?: string;
}

/** Between two looks of a page without scripts, in seconds. */
const REFRESH_S = 60;

/** A page of the admin port: in the looks of all pages, with a bar of its own, because the public ones stand elsewhere. */
export function operatorLayout(visit: OperatorVisit, page: OperatorPage): Html {
  const { title, content, refreshes = false, place = visit.place } = page;
  const { texts, locale, shell } = visit;
  const bar = html`<header class="bar">
    <div class="bar-row">
      <a class="product" href="/${locale}">${mark()}${texts.product}</a>
      <nav class="sections" aria-label="${texts.ports}">
        <a href="/readyz">/readyz</a>
        <a href="/metrics">/metrics</a>
      </nav>
      <nav class="languages" aria-label="${shell.languages}">
        ${LOCALES.map(
          (other) =>
            html`<a
              href="/${other}${place}"
              lang="${other}"
              hreflang="${other}"
              ${other === locale && html`aria-current="page"`}
              >${LANGUAGE_NAMES[other]}</a
            > `,
        )}
      </nav>
    </div>
  </header> `;
  return layout(visit, {
    title,
    description: texts.description,
    place: null,
    styles: ['catalog.css', 'status.css', 'operator.css'],
    scripts: refreshes ? ['refresh.js'] : [],
    head: refreshes && html`<noscript><meta http-equiv="refresh" content="${REFRESH_S}" /></noscript>`,
    around: { bar, foot: null },
    content,
  });
}
