import { paths } from '../shell/page-context.ts';
import { html, type Html } from '../shell/html.ts';
import { docsLayout } from './docs-layout.ts';
import { contentHtml, sectionHtml } from './markdown-html.ts';
import {
  type Part,
  firstSections,
  GUIDE_PAGES,
  type GuidePageName,
  guidePlace,
  sectionOf,
} from './guide-sections.ts';
import type { DocsPageContext, DocsContext } from './docs-context.ts';

/** The first page of the guide: what the API is, a first answer, every error, and the way to the other pages. */
export function firstPage(context: DocsPageContext): Html {
  const { texts, prose } = context;
  const sections = firstSections(context);
  const content = html`<h1>${texts.product}</h1>
    <p class="lead">${texts.lead}</p>
    ${summary(context)}${sections.map(sectionHtml)}
    <section class="more" aria-labelledby="more-title">
      <h2 id="more-title">${texts.more}</h2>
      <ul class="pages">
        ${GUIDE_PAGES.map((name) => pageLink(name, context))}
      </ul>
    </section>
    <div class="upstream"><p>${prose(texts.upstream)}</p></div>`;
  const title = `${texts.title}: ${texts.product}`;
  return page(context, { name: null, title, description: texts.lead, content, within: sections });
}

/** Any other page of the guide. */
export function guidePage(name: GuidePageName): (context: DocsPageContext) => Html {
  return (context) => {
    const section = sectionOf(name, context);
    const content = html`<h1>${section.title}</h1>
      ${contentHtml(section, 2)}`;
    const title = `${section.title}: ${context.texts.product}`;
    return page(context, { name, title, description: title, content, within: section.parts });
  };
}

interface GuidePage {
  readonly name: GuidePageName | null;
  readonly title: string;
  readonly description: string;
  readonly content: Html;
  /** What it has under headings. */
  readonly within: readonly Part[];
}

function page(context: DocsPageContext, { name, title, description, content, within }: GuidePage): Html {
  const { texts, locale, root } = context;
  const place = guidePlace(name);
  const markdown = `${root}${place(locale)}.md`;
  const feed = html`<link
    rel="alternate"
    type="application/atom+xml"
    title="${title}"
    href="${root}${paths.changelogFeed(locale)}"
  />`;
  const main = html`<main
    id="content"
    class="prose ${name === null ? 'first' : 'single'}"
    data-copy="${texts.copy}"
    data-copied="${texts.copied}"
  >
    ${content}
    <p class="twin"><a href="${markdown}">${texts.markdown}</a></p>
  </main> `;
  return docsLayout(context, {
    title,
    description,
    place,
    current: 'guide',
    head: html`<link rel="alternate" type="text/markdown" href="${markdown}" />
      ${name === 'changelog' && feed}`,
    contents: {
      title: texts.guide,
      items: [null, ...GUIDE_PAGES].map((one) => pageItem(one, one === name ? within : null, context)),
    },
    main,
  });
}

/** `within` is what the page has under headings; null for those that are not shown. */
function pageItem(name: GuidePageName | null, within: readonly Part[] | null, context: DocsContext): Html {
  const { texts, root, locale } = context;
  const title = name === null ? texts.title : sectionOf(name, context).title;
  const parts = (within ?? []).map((one) => html`<li><a href="#${one.id}">${one.title}</a></li> `);
  return html`<li>
    <a href="${root}${guidePlace(name)(locale)}" ${within !== null && html`aria-current="page"`}>${title}</a>
    ${
      parts.length > 0 &&
      html`<ol>
        ${parts}
      </ol>`
    }
  </li> `;
}

/** A link to another page, and to what it has under headings. The ids are those of the guide when it was one page. */
function pageLink(name: GuidePageName, context: DocsContext): Html {
  const { id, title, parts } = sectionOf(name, context);
  const address = `${context.root}${guidePlace(name)(context.locale)}`;
  const within = parts.map((one) => html`<a id="${one.id}" href="${address}#${one.id}">${one.title}</a> `);
  return html`<li id="${id}">
    <strong><a href="${address}">${title}</a></strong>
    ${parts.length > 0 && html`<span>${within}</span>`}
  </li> `;
}

/** What one looks for first. */
function summary({ texts, prose }: DocsContext): Html {
  const { base, key, keyIs, limit, limitIs, machine, machineIs } = texts.summary;
  const facts = [
    [base, '`{base}`'],
    [key, keyIs],
    [limit, limitIs],
    [machine, machineIs],
  ] as const;
  return html`<dl class="summary">
    ${facts.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${prose(value)}</dd>
        </div> `,
    )}
  </dl> `;
}
