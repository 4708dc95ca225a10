import { listen } from '../../src/api/http/server.ts';
import type { Locale } from '../../src/texts/texts.ts';
import { createAccountSite } from '../../src/api/pages/account/standalone-site.ts';
import type { CloudEvent } from '../../src/events/envelope.ts';
import type { RunningServer } from '../../src/platform/http-server.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createMetrics } from '../../src/platform/metrics-registry.ts';
import { targetDefined } from '../../src/sample/event-builders.ts';
import { sampleEvents } from '../../src/sample/sample.ts';
import { TARGETS } from '../../src/sample/targets.ts';
import { runApi, type RunningApi, type RunOptions } from './api.ts';
import { freePort } from './free-ports.ts';

/** The API under the address that it gives itself, so that what its pages say can be done as it is said. */
export async function runPages(
  options: RunOptions = {},
  ...events: readonly CloudEvent[]
): Promise<RunningApi> {
  const port = await freePort();
  return await runApi({ port, publicUrl: `http://127.0.0.1:${port}`, ...options }, ...events);
}

/** The account pages of an API as a process of their own, which has this address for the world. */
export async function serveAccountsOf(
  api: RunningApi,
  url: string,
  trustedProxies: readonly string[] = [],
): Promise<RunningServer> {
  const site = createAccountSite({
    ...api,
    formSecret: 'a secret of tests',
    dailyLimit: 1000,
    home: () => ({ url, isConfigured: true }),
    logger: createLogger('silent', 'test'),
    metrics: createMetrics(),
    trustedProxies,
  });
  return await listen(site, { port: 0, host: '127.0.0.1' });
}

/** Pages over the shipped catalog without its measurements and rounds: enough to find something in, and quickly folded. */
export async function runCatalogPages(): Promise<RunningApi> {
  const end = '2026-11-20T10:00:00.000Z';
  const events: CloudEvent[] = [];
  for (const event of sampleEvents(end)) {
    // The first of tens of thousands, which take a while to generate; what follows them is left out with them.
    if (event.type === 'catalog.entry.measured.v1') break;
    events.push(event);
  }
  const targets = TARGETS.map((one) => targetDefined(one, { id: one.id, source: '/monitor', time: end }));
  return await runPages({}, ...events, ...targets);
}

export interface Snippet {
  readonly language: string;
  readonly text: string;
}

/** The blocks of code on a page, as a reader copies them. */
export function snippetsOf(page: string): readonly Snippet[] {
  const blocks = page.matchAll(/<figure class="code" data-language="(\w+)">.*?<code[^>]*>(.*?)<\/code>/gs);
  return [...blocks].map(([, language = '', code = '']) => ({ language, text: textOf(code) }));
}

/** The ids of a page, in order. */
export function anchorsOf(page: string): readonly string[] {
  return [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => String(id));
}

/** What a page links to or loads, as it stands there. */
export function addressesOf(page: string): readonly string[] {
  return [...page.matchAll(/ (?:href|src|data-description|data-base)="([^"]+)"/g)].map(([, address]) =>
    textOf(String(address)),
  );
}

/** Where the bar of a page leads whoever would read it in this language, as it stands there. */
export function otherLanguage(page: string, locale: Locale): string | null {
  const [, address] = new RegExp(`href="([^"]*)"\\s+lang="${locale}"`).exec(page) ?? [];
  return address === undefined ? null : textOf(address);
}

/** The same on the Russian page at a path below `/ru`, for its reader in English, from the root of the host on. */
export async function inEnglish(url: string, path: string): Promise<string> {
  const markup = await (await fetch(`${url}/ru${path}`)).text();
  return new URL(otherLanguage(markup, 'en') ?? '', `${url}/ru${path}`).href.slice(url.length);
}

function textOf(markup: string): string {
  const signs: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  return markup
    .replace(/<[^>]*>/g, '')
    .replace(/&([#\w]+);/g, (entity, name: string) => signs[name] ?? entity);
}
