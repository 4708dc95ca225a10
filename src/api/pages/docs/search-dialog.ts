import type { Frame } from '../shell/frame.ts';
import { html, type Html } from '../shell/html.ts';
import type { Writing } from './writing.ts';

/** The search over guide and reference: a button, and the window that it opens. Both are for the script, which shows them. */

export function searchButton({ texts }: Pick<Writing, 'texts'>): Html {
  return html`<button class="find" type="button" data-scripted data-opens="find" hidden>
    <span>${texts.find.button}</span> <kbd>/</kbd>
  </button> `;
}

export function searchDialog({ texts, locale }: Pick<Writing, 'texts' | 'locale'>, { root }: Frame): Html {
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
