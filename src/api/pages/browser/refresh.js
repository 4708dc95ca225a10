/** Keeps a page up to date while it is looked at: asks for it again, and puts in what has changed. */

const EVERY_MS = 30_000;
setInterval(() => void refresh(), EVERY_MS);
document.addEventListener('visibilitychange', () => void refresh());

async function refresh() {
  const old = document.querySelector('[data-refresh]');
  if (document.hidden || !old) return;
  try {
    const response = await fetch(location.href);
    // A page that tells of a trouble is put in too; one that is another page has no such place.
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const fresh = page.querySelector('[data-refresh]');
    if (!fresh) return;
    const open = new Map(namedDetails(old).map(([name, details]) => [name, details.open]));
    // What the reader has opened, and where the keyboard stands, is left alone.
    if (old.contains(document.activeElement)) return;
    for (const [name, details] of namedDetails(fresh)) details.open = open.get(name) ?? details.open;
    if (fresh.innerHTML === old.innerHTML) return;
    old.replaceWith(fresh);
    document.title = page.title;
  } catch (thrown) {
    // The network is gone for a while; the page shows when it was last checked, and may say more.
    if (!(thrown instanceof TypeError)) throw thrown;
    old.querySelector('[data-unreached]')?.removeAttribute('hidden');
  }
}

/**
 * By what they stand in, so that one is known again also when others have come before it.
 * @param {Element} within
 * @returns {[string, HTMLDetailsElement][]}
 */
function namedDetails(within) {
  const counts = new Map();
  return [...within.querySelectorAll('details')].map((one) => {
    const place = one.closest('[id]')?.id ?? '';
    counts.set(place, (counts.get(place) ?? 0) + 1);
    return [`${place} ${counts.get(place)}`, one];
  });
}
