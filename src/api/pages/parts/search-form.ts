import { SEARCH_TEXT_LENGTH } from '../../http/parameters.ts';
import { type PageContext, paths } from '../shell/page-context.ts';
import { html, type Html } from '../shell/html.ts';

interface SearchForm {
  readonly q: string;
  /** Filters that go along. */
  readonly kept: Readonly<Record<string, string | null>>;
  /** Where the script shows what it finds: in the place of the results, or in a panel below the field. */
  readonly results: 'page' | 'panel';
}

/** Works as a form; the script in search.js searches while one types. */
export function searchForm({ q, kept, results }: SearchForm, { locale, root, shell }: PageContext): Html {
  return html`<form
    class="search"
    role="search"
    action="${root}${paths.search(locale)}"
    data-results="${results}"
  >
    <label class="hidden" for="q">${shell.search.label}</label>
    <div class="field">
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <circle cx="9" cy="9" r="5.5" />
        <path d="M13.2 13.2L17 17" />
      </svg>
      <input
        id="q"
        name="q"
        type="search"
        value="${q}"
        maxlength="${SEARCH_TEXT_LENGTH}"
        placeholder="${shell.search.placeholder}"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        enterkeyhint="search"
      />
      <button class="button" type="submit">${shell.search.button}</button>
    </div>
    ${Object.entries(kept).map(
      ([name, value]) => value !== null && html`<input type="hidden" name="${name}" value="${value}" /> `,
    )}${
      results === 'panel' && html`<div class="panel" data-panel data-all="${shell.search.all}" hidden></div>`
    }
    <p class="hidden" role="status" data-live></p>
  </form> `;
}
