import type { Locale } from '../../texts/texts.ts';
import { html, type Html } from '../../api/pages/shell/html.ts';
import { layout, type Page } from '../../api/pages/shell/layout.ts';
import type { OperatorVisit } from './operator-context.ts';

interface OperatorPage extends Pick<Page, 'title' | 'content' | 'refreshes'> {
  /** As in `OperatorVisit`, where the reader is to go on from another place. */
  readonly place?: string;
}

/** A page of the admin port: in the looks of all pages, with a bar of its own, because the public ones stand elsewhere. */
export function operatorLayout(visit: OperatorVisit, page: OperatorPage): Html {
  const { place = visit.place, ...shown } = page;
  const { texts, locale } = visit;
  const bar = {
    product: texts.product,
    home: `/${locale}`,
    label: texts.ports,
    links: html`<a href="/readyz">/readyz</a> <a href="/metrics">/metrics</a>`,
    address: (other: Locale) => `/${other}${place}`,
  };
  return layout(visit, {
    ...shown,
    description: texts.description,
    place: null,
    styles: ['catalog.css', 'status.css', 'operator.css'],
    bar,
  });
}
