import { sampleEvents } from '../../src/sample/sample.ts';
import { runApi, type RunningApi, type RunOptions } from './api.ts';
import { freePort } from './process.ts';

/** The API under the address that it gives itself, so that what its pages say can be done as it is said. */
export async function runPages(options: RunOptions = {}): Promise<RunningApi> {
  const port = await freePort();
  return await runApi({ port, publicUrl: `http://127.0.0.1:${port}`, ...options });
}

/** The shipped catalog without its measurements and rounds: enough to find something in, and quickly folded. */
export async function projectCatalog(api: RunningApi): Promise<void> {
  const types = new Set([
    'catalog.category.defined.v1',
    'catalog.entry.published.v1',
    'monitor.target.defined.v1',
  ]);
  const events = [...sampleEvents({ end: '2026-11-20T10:00:00.000Z' })];
  await api.project(...events.filter(({ type }) => types.has(type)));
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

function textOf(markup: string): string {
  const signs: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  return markup
    .replace(/<[^>]*>/g, '')
    .replace(/&([#\w]+);/g, (entity, name: string) => signs[name] ?? entity);
}
