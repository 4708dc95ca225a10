/**
 * What the reference gains by a script: the reader's key in the samples, fields that change them, and requests that are sent
 * from here. The key is kept in the field alone: in no storage, in no address.
 */

const {
  base = '',
  shownBase = '',
  sending = '',
  failed = '',
  answered = '',
  empty = '',
} = document.getElementById('content')?.dataset ?? {};
const KEY_FORM = /^cat_live_[0-9A-Za-z]{36}$/;
const key = /** @type {HTMLInputElement | null} */ (document.getElementById('key'));

followOldAnchors();
if (key) keepKey(key);
for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll('form.request'))) {
  form.addEventListener('input', () => showUrl(form));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form);
  });
  showUrl(form);
}
for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (
  document.querySelectorAll('input[data-choices]')
)) {
  field.addEventListener('focus', () => void offerChoices(field), { once: true });
}
document
  .querySelectorAll('.tabs input')
  .forEach((tab) => tab.addEventListener('change', () => chooseLanguage(tab)));

/** Links to the earlier reference named the group, too: `#/catalog/getTop`. */
function followOldAnchors() {
  const [, operation] = /^#\/\w+\/(\w+)$/.exec(location.hash) ?? [];
  if (operation !== undefined && document.getElementById(operation)) location.replace(`#${operation}`);
}

/** @param {HTMLInputElement} field */
function keepKey(field) {
  const state = document.getElementById('key-state');
  const forget = /** @type {HTMLButtonElement | null} */ (document.getElementById('key-forget'));
  const places = [
    .../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-place="key"]')),
  ];
  const variables = new Map(places.map((place) => [place, place.textContent]));
  const showKey = () => {
    const text = field.value.trim();
    // Whatever is no key might end a string in a sample, and is not put into one.
    const isKey = KEY_FORM.test(text);
    for (const [place, variable] of variables) {
      const { quote = '' } = place.dataset;
      place.textContent = isKey ? `${quote}${text}${quote}` : variable;
    }
    if (forget) forget.disabled = text === '';
    if (state)
      state.textContent = (text === '' ? '' : isKey ? state.dataset['used'] : state.dataset['wrong']) ?? '';
    state?.classList.toggle('wrong', text !== '' && !isKey);
  };
  field.addEventListener('input', showKey);
  forget?.addEventListener('click', () => {
    field.value = '';
    showKey();
    field.focus();
  });
  field.value = '';
}

/** @param {Element} chosen */
function chooseLanguage(chosen) {
  if (!(chosen instanceof HTMLInputElement)) return;
  // What the reader clicked stays where it is, though samples above it change their height.
  const before = chosen.getBoundingClientRect().top;
  for (const tab of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll('.tabs input'))) {
    if (tab.value === chosen.value) tab.checked = true;
  }
  scrollBy({ top: chosen.getBoundingClientRect().top - before, behavior: 'instant' });
}

/**
 * The address that a form asks for, below a base. Signs that end a string in one of the samples are encoded.
 * @param {HTMLFormElement} form
 * @param {string} below
 */
function urlOf(form, below) {
  let path = form.dataset['path'] ?? '';
  const query = new URLSearchParams();
  for (const { name, value, place } of filledIn(form)) {
    if (place === 'path') path = path.replace(`{${name}}`, () => encodeURIComponent(value));
    if (place === 'query') query.append(name, value);
  }
  const url = `${below}${path}${query.size === 0 ? '' : `?${query}`}`;
  return url.replaceAll("'", '%27');
}

/** @param {HTMLFormElement} form */
function filledIn(form) {
  const fields = [...form.elements].filter(
    (one) => one instanceof HTMLInputElement || one instanceof HTMLSelectElement,
  );
  return fields
    .map(({ value, dataset }) => ({ name: dataset['name'] ?? '', value, place: dataset['in'] }))
    .filter(({ value, place }) => place !== undefined && (value !== '' || place === 'path'));
}

/**
 * Offers what the page of categories leads to; without it, the field takes any text.
 * @param {HTMLInputElement} field
 */
async function offerChoices(field) {
  const address = new URL(field.dataset['choices'] ?? '', location.href);
  const response = await fetch(address, { credentials: 'omit' }).catch(() => null);
  if (!response?.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const found = new Map();
  for (const link of page.querySelectorAll('main a[href]')) {
    const [, slug] = /\/categories\/([^/?#]+)$/.exec(link.getAttribute('href') ?? '') ?? [];
    if (slug !== undefined) found.set(decodeURIComponent(slug), link.firstChild?.textContent?.trim() ?? '');
  }
  field.list?.replaceChildren(...[...found].map(([slug, title]) => new Option(title, slug)));
}

/** @param {HTMLFormElement} form */
function showUrl(form) {
  const url = urlOf(form, shownBase);
  form.parentElement?.querySelectorAll('[data-place="url"]').forEach((place) => (place.textContent = url));
}

/** @param {HTMLFormElement} form */
async function send(form) {
  const operation = form.closest('.operation');
  const outcome = operation?.querySelector('.outcome');
  const button = form.querySelector('button');
  if (!(outcome instanceof HTMLElement) || !button) return;
  outcome.hidden = false;
  outcome.scrollIntoView({ block: 'nearest' });
  button.disabled = true;
  show(outcome, sending, '', '');
  const began = performance.now();
  try {
    const response = await fetch(new URL(urlOf(form, base), location.href), {
      headers: headersOf(form),
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
    });
    const text = await response.text();
    const time = answered.replace('{time}', String(Math.round(performance.now() - began)));
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
    show(outcome, `${response.status} ${response.statusText} · ${time}`, headers, pretty(text) || empty);
    outcome.dataset['status'] = `${Math.floor(response.status / 100)}xx`;
  } catch {
    delete outcome.dataset['status'];
    show(outcome, failed, '', '');
  } finally {
    button.disabled = false;
  }
}

/** @param {HTMLFormElement} form */
function headersOf(form) {
  const headers = new Headers();
  for (const { name, value, place } of filledIn(form)) if (place === 'header') headers.set(name, value);
  const text = key?.value.trim() ?? '';
  if (text !== '') headers.set('x-api-key', text);
  return headers;
}

/**
 * @param {HTMLElement} outcome
 * @param {string} status
 * @param {string} headers
 * @param {string} body
 */
function show(outcome, status, headers, body) {
  const put = (/** @type {string} */ part, /** @type {string} */ text) => {
    const place = outcome.querySelector(`.outcome-${part}`);
    if (place) place.textContent = text;
  };
  put('status', status);
  put('headers', headers);
  put('body', body);
  outcome.classList.toggle('empty', body === '');
}

/** @param {string} text */
function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
