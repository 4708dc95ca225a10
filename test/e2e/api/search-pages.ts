import { describe, expect, test } from 'vitest';

import { PUBLIC_URL, runApi, type Answer } from '../../support/api.ts';
import { measured, published } from '../../support/events.ts';
import type { SearchEngine } from '../../support/search-engine.ts';
import { forAllTests } from '../../support/for-each-test.ts';

/** More than can be reached; every tenth is a bot, and few have a score. */
const COUNT = 2510;
const BOTS = COUNT / 10;

function slugOf(at: number): string {
  return `entry-${String((at * 7) % COUNT).padStart(4, '0')}`;
}

/** What a page links to, as a path below `/api/v1`. */
function linked({ body }: Answer, to: 'self' | 'prev' | 'next'): string | null {
  const link = (body['links'] as Readonly<Record<typeof to, string | null>>)[to];
  if (link === null) return null;
  expect(link.startsWith(`${PUBLIC_URL}/api/v1/`), link).toBe(true);
  return link.slice(`${PUBLIC_URL}/api/v1`.length);
}

function slugsOf(pages: readonly Answer[]): readonly string[] {
  return pages.flatMap(({ body }) => body.items?.map(({ slug }) => slug) ?? []);
}

/** Pages of a search, on an engine of its own. */
export function searchPages(engine: SearchEngine): void {
  describe.runIf(engine.isHere)(`pages of ${engine.name}`, () => {
    const api = forAllTests(() => {
      const entries = Array.from({ length: COUNT }, (_, at) =>
        published({ subject: slugOf(at), username: `entry_${at}`, kind: at % 10 === 0 ? 'bot' : 'channel' }),
      );
      const scored = [5, 17, 401].map((at) => measured({ subject: slugOf(at), subscribers: 10 * at }));
      const solitary = published({ subject: 'solitary', username: 'solitary', title: { en: 'Solitary' } });
      // However busy the machine is: what is asked is where pages end.
      const options = { dailyLimit: 100_000, storeLimitMs: 30_000, engine };
      return runApi(options, ...entries, ...scored, solitary);
    });

    /** Every page from the first to the last, by its own link to the next one. */
    async function walk(first: string): Promise<readonly Answer[]> {
      const pages: Answer[] = [];
      for (let path: string | null = first; path !== null;) {
        const page: Answer = await api.get(path);
        expect(page.status, path).toBe(200);
        pages.push(page);
        path = linked(page, 'next');
      }
      return pages;
    }

    test('following next from the first page visits all 2,500 places, each entry once', async () => {
      const pages = await walk('/search?q=news&limit=50');
      expect(pages).toHaveLength(50);
      const visited = slugsOf(pages);
      expect(new Set(visited).size).toBe(2500);
      expect(visited.slice(0, 3)).toEqual([slugOf(401), slugOf(17), slugOf(5)]);
      const unscored = visited.slice(3);
      expect(unscored).toEqual(unscored.toSorted());
      expect(pages[0]?.body).toMatchObject({ total: 2500, total_exact: false, pages: 50 });
    });

    test('of an exact total end with what is left', async () => {
      const pages = await walk('/search?q=news&kind=bot&limit=20&locale=en');
      const visited = slugsOf(pages);
      expect(new Set(visited).size).toBe(BOTS);
      expect(visited).toHaveLength(BOTS);
      const last = pages.at(-1);
      expect(last?.body).toMatchObject({ total: BOTS, total_exact: true, pages: 13, page: 13 });
      expect(last?.body.items).toHaveLength(BOTS % 20);
    });

    test('lead back as they lead on, in bodies and in headers alike', async () => {
      const alone = await api.get('/search?q=solitary');
      expect(alone.body).toMatchObject({ total: 1, pages: 1, links: { prev: null, next: null } });
      expect(alone.headers.get('link')).toBeNull();
      const second = await api.get('/search?limit=20&page=2&kind=bot&q=News%20%20');
      const back = await api.get(String(linked(second, 'prev')));
      expect(linked(back, 'next')).toBe(linked(second, 'self'));
      const { prev, next } = second.body['links'] as { readonly prev: string; readonly next: string };
      expect(second.headers.get('link')).toBe(`<${next}>; rel="next", <${prev}>; rel="prev"`);
      expect(back.headers.get('link')).toBe(`<${linkTo(second, 'self')}>; rel="next"`);
    });

    test('whatever was asked comes back in their links, one spelling for each question', async () => {
      const q = `a&b=c #%+ "<>" ёж 🔥`;
      const category = 'x" OR kind="bot';
      const first = await api.get(
        `/search?limit=7&category=${encodeURIComponent(category)}&page=3&kind=channel&q=${encodeURIComponent(q)}`,
      );
      const self = String(linked(first, 'self'));
      expect(self).toMatch(/^\/search\?q=[^&]+&locale=ru&kind=channel&category=[^&]+&page=3&limit=7$/);
      expect(self).toMatch(/^[\x21-\x7e]+$/);
      const again = await api.get(self);
      expect(again.body).toEqual(first.body);
      expect(again.body).toMatchObject({ query: q, category, page: 3, limit: 7 });
      expect(JSON.stringify([...again.headers, again.body])).not.toContain(api.key);
    });

    test('past the end are empty, with the true total and the way back to the last one', async () => {
      const { status, body, headers } = await api.get('/search?q=news&kind=bot&page=50&limit=20');
      expect(status).toBe(200);
      expect(body).toMatchObject({ items: [], total: BOTS, pages: 13, page: 50, links: { next: null } });
      const last = await api.get('/search?q=news&kind=bot&page=13&limit=20');
      expect((body['links'] as { readonly prev: string }).prev).toBe(linkTo(last, 'self'));
      expect(headers.get('link')).toBe(`<${linkTo(last, 'self')}>; rel="prev"`);
    });
  });
}

function linkTo({ body }: Answer, to: 'self'): string {
  return (body['links'] as Readonly<Record<typeof to, string>>)[to];
}
