import { html, type Html } from '../shell/html.ts';
import { layout, type Page } from '../shell/layout.ts';
import type { DocsPageContext, DocsContext } from './docs-context.ts';

/** A page of guide or reference. */
interface DocsPage extends Pick<Page, 'title' | 'description' | 'place' | 'head'> {
  readonly current: 'guide' | 'reference';
  /** What stands beside it: a title, and links as items of a list. */
  readonly contents: { readonly title: string; readonly items: readonly Html[] };
  readonly main: Html;
}

/** The page with its contents, and with the search over both. */
export function docsLayout(context: DocsPageContext, { contents, main, ...page }: DocsPage): Html {
  const isReference = page.current === 'reference';
  const content = html`<div class="${isReference ? 'reference' : 'columns'}">
    <nav class="contents" aria-labelledby="contents-title">
      ${searchButton(context)}
      <p id="contents-title">${contents.title}</p>
      <ol>
        ${contents.items}
      </ol>
    </nav>
    ${main}${searchDialog(context)}
  </div> `;
  const styles = ['docs.css', ...(isReference ? (['reference.css'] as const) : [])] as const;
  const scripts = ['docs.js', 'docs-search.js', ...(isReference ? (['reference.js'] as const) : [])] as const;
  return layout(context, { ...page, styles, scripts, content });
}

/** It opens the search. Both are for the script, which shows them. */
function searchButton({ texts }: DocsContext): Html {
  return html`<button class="find" type="button" data-scripted data-opens="find" hidden>
    <span>${texts.find.button}</span> <kbd>/</kbd>
  </button> `;
}

function searchDialog({ texts, locale, root }: DocsContext): Html {
  const said = texts.find;
  return html`<dialog
    id="find"
    aria-label="${said.label}"
    data-index="${root}docs/${locale}/index.json"
    data-root="${root}"
    data-nothing="${said.nothing}"
    data-failed="${said.failed}"
  >
    <input
      type="text"
      role="combobox"
      aria-label="${said.label}"
      aria-controls="found"
      aria-expanded="false"
      aria-autocomplete="list"
      placeholder="${said.placeholder}"
      autocomplete="off"
      spellcheck="false"
    />
    <ul id="found" role="listbox" aria-label="${said.results}"></ul>
    <p class="find-state" role="status"></p>
    <p class="find-keys" aria-hidden="true"><kbd>↑</kbd> <kbd>↓</kbd> <kbd>Enter</kbd> <kbd>Esc</kbd></p>
  </dialog> `;
}
