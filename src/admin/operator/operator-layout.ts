import type { Locale } from '../../texts/texts.ts';
import { html, type Html } from '../../api/pages/shell/html.ts';
import { layout } from '../../api/pages/shell/layout.ts';
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
  const { texts, locale } = visit;
  const bar = {
    product: texts.product,
    home: `/${locale}`,
    label: texts.ports,
    links: html`<a href="/readyz">/readyz</a> <a href="/metrics">/metrics</a>`,
    address: (other: Locale) => `/${other}${place}`,
  };
  return layout(visit, {
    title,
    description: texts.description,
    place: null,
    styles: ['catalog.css', 'status.css', 'operator.css'],
    scripts: refreshes ? ['refresh.js'] : [],
    head: refreshes && html`<noscript><meta http-equiv="refresh" content="${REFRESH_S}" /></noscript>`,
    bar,
    content,
  });
}
