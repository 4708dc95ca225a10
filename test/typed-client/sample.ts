import createClient from 'openapi-fetch';

import type { components, paths } from './catalog-api.d.ts';

/** `CATALOG_KEY=... node sample.ts [URL]`: what docs/guides/typed-client.md explains, as a program. */

const [baseUrl = 'http://localhost:8080/api/v1'] = process.argv.slice(2);
const catalog = createClient<paths>({ baseUrl, headers: { 'x-api-key': process.env['CATALOG_KEY'] ?? '' } });

type Schemas = components['schemas'];

try {
  for await (const { title, audience } of found('news')) say(`${title}: ${audience?.value ?? 'unknown'}`);
  say(await about('ai-news'));
  say(await about('news-bot'));
  say(await about('nobody'));
  say(await askTwice());
} catch (thrown) {
  say((thrown as Error).message);
  process.exitCode = 1;
}

/** Every entry that matches: page by page, for as long as there is a next one. */
async function* found(q: string): AsyncGenerator<Schemas['SearchItem']> {
  for (let page = 1; ; page += 1) {
    const query = { q, locale: 'en', page, limit: 2 } as const;
    const { data, error, response } = await catalog.GET('/search', { params: { query } });
    if (!data) throw new Error(explain(error, response));
    yield* data.items;
    if (data.links.next === null) return;
  }
}

/** What an entry is measured by depends on its kind, which tells the compiler which numbers there are. */
async function about(slug: string): Promise<string> {
  const { data, error, response } = await catalog.GET('/listings/{slug}', {
    params: { path: { slug }, query: { locale: 'en' } },
  });
  if (!data) return explain(error, response);
  switch (data.kind) {
    case 'channel':
      return `${data.title}: ${data.metrics?.avg_views ?? 'unknown'} views`;
    case 'bot':
      return `${data.title}: ${data.metrics?.commands_count ?? 'unknown'} commands`;
    case 'miniapp':
      return `${data.title}: ${data.metrics?.platforms.join(', ') ?? 'unknown'}`;
  }
}

/** The second answer has no body and costs nothing: its status is looked at before anything else. */
async function askTwice(): Promise<string> {
  const query = { kind: 'channel', limit: 1 } as const;
  const first = await catalog.GET('/top', { params: { query } });
  if (!first.data) return explain(first.error, first.response);
  const header = { 'if-none-match': first.response.headers.get('etag') ?? '' };
  const again = await catalog.GET('/top', { params: { query, header } });
  return `${again.response.status}, costs ${again.response.headers.get('x-ratelimit-cost')}`;
}

/** The codes are a closed list: the compiler tells which one is missing here. */
function explain({ error }: Schemas['Error'], { headers }: Response): string {
  switch (error.code) {
    case 'bad_request':
      return error.message;
    case 'no_key':
    case 'bad_key':
      return 'Set CATALOG_KEY to an API key.';
    case 'not_found':
      return 'There is no such entry.';
    case 'rate_limited':
      return `No requests are left today: again in ${headers.get('retry-after')} s.`;
    case 'internal':
      return `Try again later. If it goes on, tell us the id ${headers.get('x-request-id')}.`;
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
