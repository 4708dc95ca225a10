/** What the developer page gains by a script: buttons that copy, and the contents that follow the reader. */

const { copy = '', copied = '' } = document.getElementById('content')?.dataset ?? {};
// What only a script makes work was not shown without one.
document
  .querySelectorAll('[data-scripted]')
  .forEach((one) => one instanceof HTMLElement && (one.hidden = false));
// Browsers offer the clipboard to safe origins alone; elsewhere there is no button.
if (navigator.clipboard) document.querySelectorAll('figure.code').forEach(addCopyButton);
followReader();

/** @param {Element} figure */
function addCopyButton(figure) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = copy;
  button.addEventListener('click', () => void copyCode(figure, button));
  button.setAttribute('aria-live', 'polite');
  figure.querySelector('figcaption')?.append(button);
}

/**
 * @param {Element} figure
 * @param {HTMLButtonElement} button
 */
async function copyCode(figure, button) {
  await navigator.clipboard.writeText(figure.querySelector('code')?.textContent ?? '');
  button.textContent = copied;
  setTimeout(() => (button.textContent = copy), 2000);
}

function followReader() {
  const links = new Map(
    [...document.querySelectorAll('.contents a')].map((link) => [link.getAttribute('href')?.slice(1), link]),
  );
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const link = links.get(target.id);
        if (isIntersecting) link?.setAttribute('aria-current', 'true');
        else link?.removeAttribute('aria-current');
      }
    },
    // A line a third from the top: the section that it crosses is the one being read.
    { rootMargin: '-33% 0px -66% 0px' },
  );
  document
    .querySelectorAll('main > section, section.operation')
    .forEach((section) => observer.observe(section));
}
