import { describe, expect, test } from 'vitest';

import { runApi, type RunningApi } from '../../support/api.ts';
import { LISTINGS } from '../../support/collections.ts';
import { categoryDefined, measured, published, unpublished } from '../../support/events.ts';
import type { SearchEngine } from '../../support/search-engine.ts';

/** The index is behind the documents, and nobody who searches can tell by more than a new entry that is missing. */

const SUBJECTS = ['a', 'b', 'c', 'd', 'e', 'f'];

/** Slugs of one page, and the total. */
async function found(api: RunningApi, query = ''): Promise<readonly [string, number | undefined]> {
  const { status, body } = await api.get(`/search?q=news${query}`);
  expect(status).toBe(200);
  return [body.items?.map(({ slug }) => slug).join('') ?? '', body.total];
}

/** What was costly to compute is old enough to be computed again. */
function letTimePass({ clock }: RunningApi): void {
  clock.movedMs += 60_000;
}

export function searchFreshness(engine: SearchEngine): void {
  describe.runIf(engine.isHere)(`search on ${engine.name}`, () => {
    async function withEntries(options: Parameters<typeof runApi>[0] = {}): Promise<RunningApi> {
      return await runApi(
        { confirmMs: 0, engine, ...options },
        categoryDefined({ subject: 'science' }),
        categoryDefined({ subject: 'physics', parent: 'science' }),
        ...SUBJECTS.map((subject) => published({ subject, category: 'physics' })),
      );
    }

    describe('an entry that is unpublished', () => {
      test('is gone from items and total at once, before the index has been told and after', async () => {
        await using api = await withEntries();
        expect(await found(api)).toEqual(['abcdef', 6]);
        await api.fold(unpublished({ subject: 'b' }));
        expect(await found(api)).toEqual(['acdef', 5]);
        letTimePass(api);
        expect(await found(api)).toEqual(['acdef', 5]);
        await api.feed();
        letTimePass(api);
        expect(await found(api)).toEqual(['acdef', 5]);
      });

      test('is never listed after a 404, however long confirmations count', async () => {
        await using api = await withEntries({ confirmMs: 60_000 });
        expect((await api.get('/listings/c')).status).toBe(200);
        api.clock.movedMs += 30_000;
        expect(await found(api)).toEqual(['abcdef', 6]);
        await api.fold(unpublished({ subject: 'c' }));
        // The listing is due for confirmation; hits and removals were asked for half a minute later, and are not.
        api.clock.movedMs += 30_000;
        expect((await api.get('/listings/c')).status).toBe(404);
        expect(await found(api)).toEqual(['abdef', 5]);
      });
    });

    describe('when the index fails', () => {
      test.each(['down', 'damaged', 'silent'] as const)(
        '%s: 503, nothing is counted, and all else goes on',
        async (fault) => {
          await using api = await withEntries({ storeLimitMs: 5000 });
          expect((await api.get('/search?q=news')).headers.get('x-ratelimit-remaining')).toBe('999');
          letTimePass(api);
          api.search.fault = fault;
          const { status, body, headers } = await api.get('/search?q=news');
          expect(status).toBe(503);
          expect(body.error?.code).toBe('internal');
          expect(headers.get('retry-after')).toBe('2');
          expect(headers.get('x-ratelimit-cost')).toBe('0');
          expect(headers.get('x-ratelimit-remaining')).toBe('999');
          for (const path of ['/top', '/categories', '/listings/a'])
            expect((await api.get(path)).status).toBe(200);
          api.search.fault = 'none';
          // Whoever asks in the same moment shares what is still waited for, and its failure.
          await expect.poll(async () => (await api.get('/search?q=news')).status).toBe(200);
          expect(await found(api)).toEqual(['abcdef', 6]);
        },
      );

      test('lost: 503 until it has been made again', async () => {
        await using api = await withEntries();
        await api.search.drop(LISTINGS);
        expect((await api.get('/search?q=news')).status).toBe(503);
        await api.feed();
        expect((await api.get('/search?q=news')).status).toBe(200);
      });
    });

    test('what a measurement changes shows at once, in the place that the index still has it', async () => {
      await using api = await withEntries();
      await api.fold(measured({ subject: 'f', subscribers: 90_000 }));
      const { body } = await api.get('/search?q=news');
      expect(body.items?.at(-1)).toMatchObject({ slug: 'f', audience: { value: 90_000 } });
      await api.feed();
      letTimePass(api);
      expect(await found(api)).toEqual(['fabcde', 6]);
    });
  });
}
