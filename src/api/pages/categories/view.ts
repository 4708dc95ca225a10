import { type Kind, KINDS } from '../../../../projections/listings/document.ts';
import type { TreeNode } from '../../reading/category-tree.ts';
import type { Top } from '../../reading/read-top.ts';
import { choices, queried } from '../parts/choices.ts';
import { entryList, itemsOf } from '../parts/entry-list.ts';
import { type PageContext, paths } from '../shell/page-context.ts';
import { html, type Html } from '../shell/html.ts';
import { layout } from '../shell/layout.ts';

/** How many entries of each kind a category holds, what is below it included. */
type OfKinds = ReadonlyMap<Kind, number>;

export function categoriesView(
  roots: readonly TreeNode[],
  ofKinds: (slug: string) => OfKinds,
  context: PageContext,
): Html {
  const texts = context.shell.pages.categories;
  const content = html`<main id="content" class="page">
    <h1>${texts.title}</h1>
    <p class="lead">${texts.description}</p>
    <div class="stacks">${roots.map((node) => branch(node, ofKinds(node.slug), context))}</div>
  </main> `;
  return layout(context, {
    title: texts.title,
    description: texts.description,
    place: paths.categories,
    current: 'categories',
    styles: ['catalog.css'],
    content,
  });
}

function branch(node: TreeNode, ofKinds: OfKinds, context: PageContext): Html {
  const { shell, format } = context;
  const kinds = [...ofKinds].filter(([, count]) => count > 0);
  return html`<section class="card">
    <h2 class="small">${categoryLink(node, context)}</h2>
    <p class="quiet small">
      ${kinds.map(([kind, count]) => `${shell.kinds[kind]}: ${format.number(count)}`).join(' · ')}
    </p>
    ${below(node, context)}
  </section> `;
}

function below({ children }: TreeNode, context: PageContext): Html | null {
  if (children.length === 0) return null;
  return html`<ul class="tree">
    ${children.map((child) => html`<li>${categoryLink(child, context)}${below(child, context)}</li> `)}
  </ul> `;
}

/** A category with how many entries it holds, what is below it included. */
export function categoryLink({ slug, title, total }: TreeNode, { locale, root, format }: PageContext): Html {
  return html`<a href="${root}${paths.category(slug)(locale)}"
    >${title} <span class="count">${format.number(total)}</span></a
  >`;
}

interface CategoryPage {
  readonly slug: string;
  readonly title: string;
  readonly trail: readonly TreeNode[];
  readonly kind: Kind | null;
  readonly ofKinds: OfKinds;
  readonly top: Top;
}

export function categoryView(
  { slug, title, trail, kind, ofKinds, top }: CategoryPage,
  context: PageContext,
): Html {
  const { locale, root, shell, format, say } = context;
  const texts = shell.pages.categories;
  const place = paths.category(slug);
  const node = trail.at(-1);
  const entries = say(shell.entries, { count: node?.total ?? 0 });
  const items = itemsOf(top.entries, context, top.taxonomy);
  const tab = (of: Kind | null) => ({
    title: of === null ? shell.allKinds : shell.kinds[of],
    address: queried(`${root}${place(locale)}`, { kind: of }),
    isChosen: of === kind,
    count: format.number(of === null ? (node?.total ?? 0) : (ofKinds.get(of) ?? 0)),
  });
  const content = html`<main id="content" class="page">
    <nav class="trail" aria-label="${texts.trail}">
      <ol>
        <li><a href="${root}${paths.categories(locale)}">${texts.title}</a></li>
        ${trail.slice(0, -1).map((one) => html`<li><a href="${root}${paths.category(one.slug)(locale)}">${one.title}</a></li> `)}
      </ol>
    </nav>
    <h1>${title}</h1>
    ${choices(texts.kinds, [null, ...KINDS].map(tab), 'tabs')}
    ${
      (node?.children.length ?? 0) > 0 &&
      html`<h2 class="hidden">${texts.within}</h2>
        <ul class="tiles">
          ${node?.children.map((child) => html`<li>${categoryLink(child, context)}</li> `)}
        </ul>`
    }
    ${items.length === 0 ? html`<p class="empty">${texts.empty}</p>` : entryList(items, context, 1)}
    ${top.total > items.length && html`<p class="quiet">${say(texts.shown, { count: items.length })}</p>`}
  </main> `;
  return layout(context, {
    title,
    description: say(texts.about, { title, entries }),
    place,
    elsewhere: (other) => queried(place(other), { kind }),
    current: 'categories',
    styles: ['catalog.css'],
    content,
  });
}
