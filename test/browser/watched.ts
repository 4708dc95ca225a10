import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** A page, and everything that a reader of its console or its network would complain about. */
export interface Watched extends AsyncDisposable {
  readonly page: Page;
  readonly complaints: readonly string[];
}

/**
 * Opens a page in a profile of its own, which remembers nothing. `elsewhere`: an origin that the visit may lead to, of whose own
 * pages nothing is noted.
 */
export async function watch(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
  elsewhere: string | null = null,
): Promise<Watched> {
  const context = await browser.newContext({ baseURL: origin, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  const isElsewhere = (url: string) => elsewhere !== null && url.startsWith(`${elsewhere}/`);
  // Violations of the content policy are said in the console, as errors.
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    if (isElsewhere(page.url())) return;
    complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (isElsewhere(url.href) || isElsewhere(page.url())) return;
    if (url.origin !== origin && url.protocol !== 'data:') complaints.push(`request to ${url.href}`);
  });
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
}
