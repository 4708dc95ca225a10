import { KINDS } from '../../../../projections/listings/document.ts';
import type { SearchPage } from '../../reading/read-search.ts';
import { titleOf } from '../../reading/build-taxonomy.ts';
import { choices, queried } from '../parts/choices.ts';
import { entryList, itemsOf } from '../parts/entry-list.ts';
import { searchForm } from '../parts/search-form.ts';
import { type PageContext, paths } from '../shell/page-context.ts';
import { html, type Html } from '../shell/html.ts';
import { layout } from '../shell/layout.ts';
import type { Facets } from './facet-counts.ts';
import type { PageQuery } from './page.ts';

interface SearchResults extends SearchPage {
  readonly asked: PageQuery;
  readonly pages: number;
  readonly facets: Facets;
}

export function searchView(shown: SearchResults, context: PageContext): Html {
  const { locale, say, shell } = context;
  const texts = shell.pages.search;
  const { q, kind, category } = shown.asked;
  const title = q === '' ? texts.title : say(texts.found, { q });
  const content = html`<main id="content" class="page">
    <h1 class="${q === '' ? '' : 'hidden'}">${title}</h1>
    ${searchForm({ q, kept: { kind, category }, results: 'page' }, context)}
    <div class="with-side" id="results" data-results>
      ${facetsOf(shown, context)}
      <section aria-labelledby="found">${listOf(shown, context)}</section>
    </div>
  </main> `;
  const place = (other: typeof locale) =>
    queried(paths.search(other), { q: q === '' ? null : q, kind, category });
  return layout(context, {
    title,
    description: texts.description,
    place,
    elsewhere: (other) => queried(paths.search(other), pageOf(shown.asked)),
    current: 'search',
    styles: ['catalog.css'],
    scripts: ['search.js'],
    // Results of searches are not for other search engines (they are endless); what they list is.
    head: q !== '' && html`<meta name="robots" content="noindex, follow" />`,
    content,
  });
}

function listOf(shown: SearchResults, context: PageContext): Html {
  const { shell, say } = context;
  const texts = shell.pages.search;
  const { asked, entries, total, totalIsExact, taxonomy } = shown;
  const count = say(shell.entries, { count: total });
  const heading = html`<div class="heading">
    <h2 id="found">${asked.q === '' ? texts.top : texts.results}</h2>
    <p class="quiet" data-count>${totalIsExact ? count : say(texts.more, { entries: count })}</p>
  </div> `;
  if (entries.length === 0) {
    const isPast = total > 0;
    const none = isPast ? texts.past : asked.q !== '' && say(texts.none, { q: asked.q });
    return html`${heading}
      <div class="empty">
        ${none && html`<p>${none}</p>`} ${!isPast && html`<p class="quiet">${texts.noneHint}</p>`}
      </div>
      ${pager(shown, context)}`;
  }
  const items = itemsOf(entries, context, taxonomy);
  return html`${heading}${entryList(items, context, asked.q === '' ? 1 : null)}${pager(shown, context)}`;
}

function facetsOf(
  { asked, facets, total, totalIsExact, taxonomy }: SearchResults,
  context: PageContext,
): Html {
  const { locale, root, shell, format } = context;
  const texts = shell.pages.search;
  const q = asked.q === '' ? null : asked.q;
  const path = `${root}${paths.search(locale)}`;
  const shownCount = (count: number | null) => (count === null ? null : format.number(count));
  const known = facets.categories.some(({ slug }) => slug === asked.category);
  const ofChosen = totalIsExact ? total : null;
  const chosen = known || asked.category === null ? [] : [{ slug: asked.category, count: ofChosen }];
  const kinds = [null, ...KINDS].map((kind, index) => ({
    title: kind === null ? shell.allKinds : shell.kinds[kind],
    address: queried(path, { q, kind, category: asked.category }),
    isChosen: asked.kind === kind,
    count: shownCount(facets.kinds[index] ?? null),
  }));
  const categories = [
    {
      title: texts.any,
      address: queried(path, { q, kind: asked.kind }),
      isChosen: asked.category === null,
      count: shownCount(facets.allCategories),
    },
    ...[...chosen, ...facets.categories].map(({ slug, count }) => ({
      title: titleOf(taxonomy, slug)[locale],
      address: queried(path, { q, kind: asked.kind, category: slug }),
      isChosen: asked.category === slug,
      count: shownCount(count),
    })),
  ];
  return html`<div class="facets">
    ${choices(texts.kinds, kinds, 'facet')}${choices(texts.categories, categories, 'facet')}
  </div> `;
}

/** What a page of results is asked for by. */
function pageOf({ q, kind, category, page }: PageQuery) {
  return { q: q === '' ? null : q, kind, category, page: page === 1 ? null : page };
}

function pager({ asked, pages }: SearchResults, { locale, root, say, shell }: PageContext): Html | null {
  const { page } = asked;
  if (pages < 2 && page < 2) return null;
  const texts = shell.pages.search;
  const link = (to: number, title: string, rel: 'prev' | 'next') =>
    to < 1 || to > pages
      ? html`<span></span>`
      : html`<a
          class="button quiet"
          rel="${rel}"
          href="${root}${queried(paths.search(locale), pageOf({ ...asked, page: to }))}"
          >${title}</a
        >`;
  return html`<nav class="pager" aria-label="${texts.pages}">
    ${link(Math.min(page - 1, pages), texts.prev, 'prev')}
    <span>${say(texts.page, { page, pages })}</span>
    ${link(page + 1, texts.next, 'next')}
  </nav> `;
}
