/** What the search gains by a script: it searches while one types. Without it, the form works as forms do. */

const form = /** @type {HTMLFormElement | null} */ (document.querySelector('form.search'));
const input = document.getElementById('q');
const PAUSE_MS = 180;
const SHOWN = 6;

/** @type {AbortController | null} */
let asking = null;
let timer = 0;

if (form && input instanceof HTMLInputElement) {
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => void search(form, input), PAUSE_MS);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hidePanel(form);
    if (event.key !== '/' || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
    event.preventDefault();
    input.focus();
  });
  form.addEventListener('focusout', (event) => {
    if (!(event.relatedTarget instanceof Node && form.contains(event.relatedTarget))) hidePanel(form);
  });
  form.addEventListener('focusin', () => showPanel(form));
}

/** @param {EventTarget | null} target */
function isTyping(target) {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}

/**
 * @param {HTMLFormElement} from
 * @param {HTMLInputElement} field
 */
async function search(from, field) {
  asking?.abort();
  asking = new AbortController();
  const isPanel = from.dataset['results'] === 'panel';
  const address = new URL(from.action);
  for (const [name, value] of new FormData(from)) {
    if (typeof value === 'string' && value.trim() !== '') address.searchParams.set(name, value.trim());
  }
  if (isPanel && field.value.trim() === '') return emptyPanel(from);
  try {
    const response = await fetch(address, { signal: asking.signal });
    // Too many searches, or a store that is down: the form still leads to a page that says so.
    if (!response.ok) return;
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    if (isPanel) fillPanel(from, page, address);
    else replaceResults(page, address);
    const live = from.querySelector('[data-live]');
    if (live) live.textContent = page.querySelector('[data-count]')?.textContent?.trim() ?? '';
  } catch (thrown) {
    // The next letter was typed, or the network is gone; the form is still there.
    if (!(thrown instanceof DOMException || thrown instanceof TypeError)) throw thrown;
  }
}

/**
 * @param {Document} page
 * @param {URL} address
 */
function replaceResults(page, address) {
  const [old, fresh] = [
    document.querySelector('[data-results]:not(form)'),
    page.querySelector('[data-results]:not(form)'),
  ];
  if (!old || !fresh) return;
  old.replaceWith(fresh);
  document.querySelector('.languages')?.replaceWith(...page.querySelectorAll('.languages'));
  document.title = page.title;
  history.replaceState(null, '', address);
}

/**
 * @param {HTMLFormElement} from
 * @param {Document} page
 * @param {URL} address
 */
function fillPanel(from, page, address) {
  const panel = /** @type {HTMLElement | null} */ (from.querySelector('[data-panel]'));
  if (!panel) return;
  const entries = [...page.querySelectorAll('.entries > li')].slice(0, SHOWN);
  panel.replaceChildren();
  if (entries.length > 0) {
    const list = document.createElement('ol');
    list.className = 'entries';
    // Their links are relative to the page of results.
    for (const link of page.querySelectorAll('.entries a')) {
      link.setAttribute('href', new URL(link.getAttribute('href') ?? '', address).href);
    }
    list.append(...entries);
    panel.append(list);
  } else panel.append(...page.querySelectorAll('.empty'));
  const all = document.createElement('a');
  all.href = address.href;
  all.textContent = panel.dataset['all'] ?? '';
  const more = document.createElement('p');
  more.className = 'more';
  more.append(all);
  panel.append(more);
  panel.hidden = !from.contains(document.activeElement);
}

/** @param {HTMLFormElement} from */
function emptyPanel(from) {
  from.querySelector('[data-panel]')?.replaceChildren();
  hidePanel(from);
}

/** @param {HTMLFormElement} from */
function hidePanel(from) {
  const panel = /** @type {HTMLElement | null} */ (from.querySelector('[data-panel]'));
  if (panel) panel.hidden = true;
}

/** @param {HTMLFormElement} from */
function showPanel(from) {
  const panel = /** @type {HTMLElement | null} */ (from.querySelector('[data-panel]'));
  if (panel && panel.childElementCount > 0) panel.hidden = false;
}
