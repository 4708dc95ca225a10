import { type Locale, LOCALES } from '../../../texts/texts.ts';
import type { AssetFile } from './assets.ts';
import { type PageContext, paths } from './page-context.ts';
import { html, type Html, type Part } from './html.ts';

export interface Page {
  /** Of the window; the name of the product follows it. */
  readonly title: string;
  readonly description: string;
  /** Where it stands in each language, from the root of the host on; null for what stands nowhere, such as a refusal. */
  readonly place: ((locale: Locale) => string) | null;
  /** The same in another language, where that is no place to be found or remembered. */
  readonly elsewhere?: (locale: Locale) => string;
  readonly current?: SectionName | undefined;
  readonly styles?: readonly AssetFile[];
  readonly scripts?: readonly AssetFile[];
  /** Of a page that is none of the public ones: it has no foot. Default: the public bar. */
  readonly bar?: Bar;
  /** Whether it keeps itself up to date: by a script, and without one as often as `REFRESH_S` says. */
  readonly refreshes?: boolean;
  /** What else the head holds. */
  readonly head?: Part;
  readonly content: Html;
}

interface Bar {
  readonly product: string;
  /** Where the name of the product leads. */
  readonly home: string;
  readonly label: string;
  readonly links: Part;
  /** Of the page in another language. */
  readonly address: (locale: Locale) => string;
}

/** In seconds. */
const REFRESH_S = 60;

type SectionName = 'search' | 'categories' | 'status' | 'guide' | 'reference' | 'account';

/** The names of the languages, each in itself. */
const LANGUAGE_NAMES: Readonly<Record<Locale, string>> = { ru: 'Русский', en: 'English' };
const OPEN_GRAPH_LOCALES: Readonly<Record<Locale, string>> = { ru: 'ru_RU', en: 'en_US' };

/** A whole page. All addresses that it loads or leads to are relative; those that say where it stands are absolute. */
export function layout(context: PageContext, page: Page): Html {
  const { locale, root, shell, assets } = context;
  const { title, description, styles = [], refreshes = false, head, content } = page;
  const scripts = [...(page.scripts ?? []), ...(refreshes ? (['refresh.js'] as const) : [])];
  const asset = (file: AssetFile) => `${root}assets/${assets.nameOf(file)}`;
  return html`<!doctype html>
    <html lang="${locale}">
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="description" content="${description}" />
        <link rel="icon" href="${asset('icon.svg')}" type="image/svg+xml" />
        ${placeLinks(page, context)}${['shell.css' as const, ...styles].map(
          (file) => html`<link rel="stylesheet" href="${asset(file)}" /> `,
        )}${scripts.map((file) => html`<script src="${asset(file)}" defer></script> `)}${head}${
          refreshes && html`<noscript><meta http-equiv="refresh" content="${REFRESH_S}" /></noscript>`
        }
      </head>
      <body>
        <a class="skip" href="#content">${shell.skip}</a>
        ${barView(page.bar ?? publicBar(page, context), context)}${!page.bar && sampleNotice(context)}${content}${!page.bar && footer(context)}
      </body>
    </html> `;
}

/** Where the page stands, for programs: its own address, those in other languages, and what is shown where it is shared. */
function placeLinks({ place, title, description }: Page, { locale, publicUrl, shell }: PageContext): Html {
  if (place === null) return html`<meta name="robots" content="noindex" /> `;
  const addressIn = (other: Locale) => `${publicUrl}/${place(other)}`;
  return html`<link rel="canonical" href="${addressIn(locale)}" />
    ${LOCALES.map((other) => html`<link rel="alternate" hreflang="${other}" href="${addressIn(other)}" /> `)}
    <link rel="alternate" hreflang="x-default" href="${addressIn('en')}" />
    <meta property="og:type" content="website" />
    <meta property="og:site_name" content="${shell.product}" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:url" content="${addressIn(locale)}" />
    <meta property="og:locale" content="${OPEN_GRAPH_LOCALES[locale]}" />
    <meta name="twitter:card" content="summary" /> `;
}

function publicBar(
  { current, place, elsewhere }: Page,
  { locale, root, shell, hasAccounts }: PageContext,
): Bar {
  const sections = [
    ['search', shell.catalog],
    ['categories', shell.categories],
    ['status', shell.status],
    ['guide', shell.guide],
    ['reference', shell.reference],
    ...(hasAccounts ? ([['account', shell.account]] as const) : []),
  ] as const;
  return {
    product: shell.product,
    home: `${root}${locale}`,
    label: shell.sections,
    links: sections.map(
      ([name, title]) =>
        html`<a href="${root}${paths[name](locale)}" ${name === current && CURRENT}>${title}</a> `,
    ),
    address: (other) => `${root}${(elsewhere ?? place ?? paths.home)(other)}`,
  };
}

const CURRENT = html`aria-current="page"`;

function barView({ product, home, label, links, address }: Bar, { locale, shell }: PageContext): Html {
  return html`<header class="bar">
    <div class="bar-row">
      <a class="product" href="${home}">${mark()}${product}</a>
      <nav class="sections" aria-label="${label}">${links}</nav>
      <nav class="languages" aria-label="${shell.languages}">
        ${LOCALES.map(
          (other) =>
            html`<a
              href="${address(other)}"
              lang="${other}"
              hreflang="${other}"
              ${other === locale && CURRENT}
              >${LANGUAGE_NAMES[other]}</a
            > `,
        )}
      </nav>
    </div>
  </header> `;
}

/** Once on a page, and not beside each of its figures. */
function sampleNotice({ isSample, shell }: PageContext): Part {
  return (
    isSample && html`<aside class="sample" aria-label="${shell.sample.mark}">${shell.sample.notice}</aside> `
  );
}

/** The sign of the product. */
function mark(): Html {
  return html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="8" />
    <path d="M9 10h14M9 16h14M9 22h8" />
  </svg>`;
}

function footer({ locale, root, shell }: PageContext): Html {
  const link = (place: (locale: Locale) => string, title: string) =>
    html`<li><a href="${root}${place(locale)}">${title}</a></li> `;
  return html`<footer class="foot">
    <div class="foot-row">
      <p class="foot-about">${shell.footer.about}</p>
      <nav aria-label="${shell.footer.explore}">
        <h2>${shell.footer.explore}</h2>
        <ul>
          ${link(paths.home, shell.footer.home)}${link(paths.search, shell.catalog)}${link(
            paths.categories,
            shell.categories,
          )}${link(paths.status, shell.status)}
        </ul>
      </nav>
      <nav aria-label="${shell.footer.developers}">
        <h2>${shell.footer.developers}</h2>
        <ul>
          ${link(paths.guide, shell.guide)}${link(paths.reference, shell.reference)}${link(
            () => (locale === 'ru' ? 'openapi.json?lang=ru' : 'openapi.json'),
            shell.footer.machine,
          )}${link(paths.incidents, shell.footer.feed)}
        </ul>
      </nav>
    </div>
  </footer> `;
}
