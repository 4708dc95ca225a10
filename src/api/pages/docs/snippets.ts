import type { Code } from './blocks.ts';
import type { Writing } from './writing.ts';

/** The programs on the page: short, whole, and run by a test as they stand there. The key comes from the environment. */

export type Place = Pick<Writing, 'base' | 'locale'>;

type Snippet = Omit<Code, 'caption'>;

/** Reads the key without showing it, and without a trace in the history. */
export const EXPORT_KEY: Snippet = {
  language: 'sh',
  text: 'read -rs CATALOG_KEY && export CATALOG_KEY',
};

/** Asks only for what is new, and prints the status and the cost. */
export function conditionalRequest({ base, locale }: Place): Snippet {
  return {
    language: 'sh',
    text: `curl -s -o top.json -w '%{http_code} %header{x-ratelimit-cost}\\n' \\
  --etag-compare top.etag --etag-save top.etag \\
  -H "x-api-key: $CATALOG_KEY" '${base}/top?locale=${locale}'`,
  };
}

/** Follows the links of pages to the end. */
export function allPages({ base, locale }: Place): Snippet {
  return {
    language: 'javascript',
    text: `let next = '${base}/search?q=python&locale=${locale}&limit=50';
const headers = { 'x-api-key': process.env.CATALOG_KEY ?? '' };
while (next !== null) {
  const response = await fetch(next, { headers });
  const body = await response.json();
  if (!response.ok) throw new Error(body.error.message);
  for (const { title } of body.items) console.log(title);
  next = body.links.next;
}`,
  };
}

export function generateTypes(publicUrl: string): Snippet {
  return { language: 'sh', text: `npx openapi-typescript '${publicUrl}/openapi.json' -o catalog.d.ts` };
}

export function typedRequest({ base, locale }: Place): Snippet {
  return {
    language: 'typescript',
    text: `import type { components } from './catalog.d.ts';

type Schemas = components['schemas'];

const url = '${base}/top?kind=bot&locale=${locale}';
const headers = { 'x-api-key': process.env.CATALOG_KEY ?? '' };
const response = await fetch(url, { headers });
const body = (await response.json()) as Schemas['Top'] | Schemas['Error'];
if ('error' in body) throw new Error(body.error.message);
for (const { rank, title } of body.items) console.log(rank, title);`,
  };
}
