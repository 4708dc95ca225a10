import { LOCALES, type Locale } from '../messages/texts.ts';
import type { AssetFile, Assets } from './assets.ts';
import { html, type Html } from './html.ts';
import type { Writing } from './writing.ts';

export interface Layout {
  /** In the title of the window. */
  readonly title: string;
  /** Below `/docs/{locale}`: empty, or `/` and a name. */
  readonly path: '' | '/reference';
  readonly styles: readonly AssetFile[];
  readonly scripts: readonly AssetFile[];
  readonly content: Html;
}

/** The names of the languages, each in itself. */
const LANGUAGE_NAMES: Readonly<Record<Locale, string>> = { ru: 'Русский', en: 'English' };

/**
 * A whole page. All addresses in it are relative, so that it works under any host and behind any prefix; the absolute
 * ones are in the text alone.
 */
export function layout(page: Layout, { texts, locale }: Writing, assets: Assets): Html {
  const { title, path, styles, scripts, content } = page;
  const docs = path === '' ? '' : '../';
  const asset = (file: AssetFile) => `${docs}assets/${assets.nameOf(file)}`;
  const current = (isCurrent: boolean) => (isCurrent ? html` aria-current="page"` : html``);
  return html`<!doctype html>
    <html lang="${locale}">
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="description" content="${texts.lead}" />
        <link rel="icon" href="${asset('icon.svg')}" type="image/svg+xml" />
        ${LOCALES.map(
          (other) => html`<link rel="alternate" hreflang="${other}" href="${docs}${other}${path}" /> `,
        )}${styles.map((file) => html`<link rel="stylesheet" href="${asset(file)}" /> `)}${scripts.map(
          (file) => html`<script src="${asset(file)}" defer></script> `,
        )}
      </head>
      <body data-copy="${texts.copy}" data-copied="${texts.copied}">
        <a class="skip" href="#content">${texts.skip}</a>
        <header class="bar">
          <a class="product" href="${docs}${locale}">${texts.product}</a>
          <nav class="pages" aria-label="${texts.pages}">
            <a href="${docs}${locale}" ${current(path === '')}>${texts.guide}</a>
            <a href="${docs}${locale}/reference" ${current(path === '/reference')}>${texts.reference}</a>
          </nav>
          <nav class="languages" aria-label="${texts.languages}">
            ${LOCALES.map(
              (other) =>
                html`<a
                  href="${docs}${other}${path}"
                  lang="${other}"
                  hreflang="${other}"
                  ${current(other === locale)}
                  >${LANGUAGE_NAMES[other]}</a
                > `,
            )}
          </nav>
        </header>
        ${content}
      </body>
    </html> `;
}
