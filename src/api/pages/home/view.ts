import type { Kind } from '../../../../projections/listings/document.ts';
import type { Status } from '../../../monitor/status-schema.ts';
import type { Tree } from '../../reading/category-tree.ts';
import type { PublishedListing } from '../../reading/listing-queries.ts';
import type { Taxonomy } from '../../reading/build-taxonomy.ts';
import { pieces } from '../../../texts/fill.ts';
import { queried } from '../parts/choices.ts';
import { briefList, itemsOf } from '../parts/entry-list.ts';
import { categoryLink } from '../categories/view.ts';
import { termHtml } from '../parts/facts.ts';
import { searchForm } from '../parts/search-form.ts';
import { type PageContext, paths } from '../shell/page-context.ts';
import { html, type Html } from '../shell/html.ts';
import { layout } from '../shell/layout.ts';

interface Home {
  readonly tops: readonly { readonly kind: Kind; readonly entries: readonly PublishedListing[] }[];
  readonly categories: Tree;
  readonly taxonomy: Taxonomy;
  readonly status: Status;
  readonly dailyLimit: number;
}

export function homeView(context: PageContext, shown: Home): Html {
  const { locale, root, shell, say, hasAccounts } = context;
  const texts = shell.pages.home;
  const total = say(texts.total, {
    entries: say(shell.entries, { count: shown.categories.total }),
  });
  const content = html`<main id="content">
    <section class="hero">
      <div class="page">
        <p>${statePill(shown.status, context)}</p>
        <h1>${texts.title}</h1>
        <p class="lead">${texts.lead}</p>
        ${searchForm({ q: '', kept: {}, results: 'panel' }, context)}
        <p class="quiet">${total}</p>
      </div>
    </section>
    <div class="page">
      <section aria-labelledby="top">
        <h2 id="top">${texts.top}</h2>
        <div class="columns-3">${shown.tops.map((top) => topOf(top, shown.taxonomy, context))}</div>
      </section>
      ${categoriesOf(shown, context)}
      <section class="split">
        ${platform(shown.status, context)}
        <div class="card">
          <h2>${texts.api}</h2>
          <p>${say(texts.apiText, { limit: shown.dailyLimit })}</p>
          <ol class="steps">
            ${texts.steps.map((step, index) => html`<li>${index === 0 && hasAccounts ? texts.accountStep : stepOf(step, context)}</li> `)}
          </ol>
          <p class="actions">
            ${hasAccounts && html`<a class="button" href="${root}${paths.account(locale)}">${texts.account}</a> `}
            <a class="button ${hasAccounts ? 'quiet' : ''}" href="${root}${paths.guide(locale)}"
              >${texts.guide}</a
            >
            <a class="button quiet" href="${root}${paths.reference(locale)}">${texts.reference}</a>
          </p>
        </div>
      </section>
    </div>
  </main> `;
  return layout(context, {
    title: `${shell.product}: ${texts.title}`,
    description: texts.description,
    place: paths.home,
    styles: ['catalog.css'],
    scripts: ['search.js'],
    content,
  });
}

/** The name of the header is to be copied whole, and no line ends in it. */
function stepOf(step: string, { locale }: PageContext): Html {
  const header = termHtml('x-api-key');
  return html`${pieces(step, { header }, locale).map((piece) => html`${piece}`)}`;
}

function topOf({ kind, entries }: Home['tops'][number], taxonomy: Taxonomy, context: PageContext): Html {
  const { locale, root, shell, say } = context;
  const texts = shell.pages.home;
  const title = shell.kinds[kind];
  return html`<div class="card">
    <h3>${title}</h3>
    ${entries.length === 0 ? html`<p class="quiet">${texts.empty}</p> ` : briefList(itemsOf(entries, context, taxonomy), context)}
    <p class="more">
      <a href="${root}${queried(paths.search(locale), { kind })}"
        >${say(texts.whole, { kind: title.toLowerCase() })}</a
      >
    </p>
  </div> `;
}

function categoriesOf({ categories }: Home, context: PageContext): Html {
  const { locale, root, shell } = context;
  const texts = shell.pages.home;
  return html`<section aria-labelledby="categories">
    <div class="heading">
      <h2 id="categories">${texts.categories}</h2>
      <a href="${root}${paths.categories(locale)}">${texts.allCategories}</a>
    </div>
    <ul class="tiles">
      ${categories.categories.map((node) => html`<li>${categoryLink(node, context)}</li> `)}
    </ul>
  </section> `;
}

function platform(status: Status, context: PageContext): Html {
  const { locale, root, shell, format } = context;
  const texts = shell.pages.home;
  const { pct } = status.uptime['90d'];
  return html`<div class="card">
    <h2>${texts.platform}</h2>
    <p class="statement">${status.text[locale]}</p>
    <ul class="states">
      ${status.components.map(
        ({ name, state }) =>
          html`<li>
            <span>${name[locale]}</span> <span class="state ${state}">${shell.states[state]}</span>
          </li> `,
      )}
    </ul>
    <p class="quiet">${texts.uptime}: ${format.percent(pct, 2)}</p>
    <p class="actions">
      <a class="button quiet" href="${root}${paths.status(locale)}">${texts.statusPage}</a>
    </p>
  </div> `;
}

/** The state in a few words, leading to the status page: a label, not a sentence. */
function statePill({ state, text }: Status, { locale, root }: PageContext): Html {
  return html`<a class="pill ${state}" href="${root}${paths.status(locale)}"
    >${text[locale].replace(/\.$/, '')}</a
  >`;
}
