/** What the account page gains by a script: a button that copies a new key. */

const place = document.querySelector('[data-copy]');
// Browsers offer the clipboard to safe origins alone; elsewhere there is no button.
if (navigator.clipboard && place instanceof HTMLElement) addCopyButton(place);

/** @param {HTMLElement} element */
function addCopyButton(element) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button';
  button.textContent = element.dataset['copy'] ?? '';
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', () => void copyKey(element, button));
  element.append(button);
}

/**
 * @param {HTMLElement} element
 * @param {HTMLButtonElement} button
 */
async function copyKey(element, button) {
  const { copy = '', copied = '' } = element.dataset;
  await navigator.clipboard.writeText(element.querySelector('[data-key]')?.textContent ?? '');
  button.textContent = copied;
  setTimeout(() => (button.textContent = copy), 2000);
}
