import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** A page, and everything that a reader of its console or its network would complain about. */
export interface Watched extends AsyncDisposable {
  readonly page: Page;
  readonly complaints: readonly string[];
}

/** Opens a page in a profile of its own, which remembers nothing. */
export async function watch(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<Watched> {
  const context = await browser.newContext({ baseURL: origin, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  // Violations of the content policy are said in the console, as errors.
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && url.protocol !== 'data:') complaints.push(`request to ${url.href}`);
  });
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
}
