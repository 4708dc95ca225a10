/**
 * The search over guide and reference. `/` or Ctrl+K opens it; arrows move, Enter goes there, Escape closes. What can be found
 * is one file, loaded when the search is first opened.
 */

/** @typedef {{readonly title: string, readonly within: string, readonly href: string, readonly text: string}} Place */

const SHOWN = 12;
const found = document.getElementById('find');
if (found instanceof HTMLDialogElement) connect(found);

/** @param {HTMLDialogElement} dialog */
function connect(dialog) {
  const input = dialog.querySelector('input');
  const list = dialog.querySelector('ul');
  const state = dialog.querySelector('.find-state');
  if (!input || !list || !state) return;
  const { index = '', root = '', nothing = '', failed = '' } = dialog.dataset;
  /** @type {readonly Place[] | null} */
  let places = null;
  let chosen = -1;

  const open = async () => {
    if (dialog.open) return;
    dialog.showModal();
    input.select();
    try {
      places ??= await load(index);
      search();
    } catch {
      state.textContent = failed;
    }
  };
  const search = () => {
    const hits = places === null ? [] : best(places, input.value);
    list.replaceChildren(...hits.map((hit, at) => option(hit, at)));
    input.setAttribute('aria-expanded', String(hits.length > 0));
    state.textContent = hits.length === 0 && input.value.trim() !== '' && places !== null ? nothing : '';
    choose(hits.length > 0 ? 0 : -1);
  };
  const go = (/** @type {Element | null | undefined} */ one) => {
    const place = one instanceof HTMLElement ? one.dataset['href'] : undefined;
    if (place === undefined) return;
    // It may be on this very page.
    dialog.close();
    location.assign(root + place);
  };
  const choose = (/** @type {number} */ at) => {
    chosen = at;
    [...list.children].forEach((one, place) => {
      one.setAttribute('aria-selected', String(place === at));
      if (place === at) one.scrollIntoView({ block: 'nearest' });
    });
    if (at < 0) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', `found-${at}`);
  };

  input.addEventListener('input', search);
  input.addEventListener('keydown', (event) => {
    const many = list.children.length;
    if (event.key === 'Enter' && chosen >= 0) go(list.children[chosen]);
    if ((event.key !== 'ArrowDown' && event.key !== 'ArrowUp') || many === 0) return;
    event.preventDefault();
    choose((chosen + (event.key === 'ArrowDown' ? 1 : -1) + many) % many);
  });
  list.addEventListener('click', ({ target }) => target instanceof Element && go(target.closest('li')));
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close());
  document
    .querySelectorAll('[data-opens="find"]')
    .forEach((one) => one.addEventListener('click', () => void open()));
  document.addEventListener('keydown', (event) => {
    const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !isTyping(event.target);
    if (!isSlash && !((event.ctrlKey || event.metaKey) && event.code === 'KeyK')) return;
    event.preventDefault();
    void open();
  });
}

/**
 * @param {string} index
 * @returns {Promise<readonly Place[]>}
 */
async function load(index) {
  const response = await fetch(index);
  if (!response.ok) throw new Error(String(response.status));
  return await response.json();
}

/**
 * Places that have every word, those with it in their title first.
 * @param {readonly Place[]} places
 * @param {string} asked
 */
function best(places, asked) {
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const weigh = (/** @type {Place} */ place) => {
    const title = place.title.toLowerCase();
    const all = `${title} ${place.within} ${place.text}`.toLowerCase();
    if (!words.every((word) => all.includes(word))) return 0;
    return words.reduce(
      (sum, word) => sum + (title === word ? 8 : title.startsWith(word) ? 4 : title.includes(word) ? 3 : 1),
      0,
    );
  };
  return places
    .map((place) => ({ place, weight: weigh(place) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, SHOWN)
    .map(({ place }) => place);
}

/**
 * @param {Place} place
 * @param {number} at
 */
function option(place, at) {
  const item = document.createElement('li');
  item.id = `found-${at}`;
  item.setAttribute('role', 'option');
  item.dataset['href'] = place.href;
  const title = document.createElement('strong');
  title.textContent = place.title;
  const within = document.createElement('span');
  within.textContent = place.within;
  item.append(title, within);
  return item;
}

/** @param {EventTarget | null} target */
function isTyping(target) {
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  );
}
