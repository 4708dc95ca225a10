import { describe, expect, test } from 'vitest';

import { entry, ids, type Bench } from './search-bench.ts';

/** What is found, and in which order. */
export function describeMatching({ client, index }: Bench): void {
  describe('matching', () => {
    test('a username or a title that is the query comes first, however popular the others are', async () => {
      const search = await client();
      const name = await index(
        search,
        entry('popular', { titles: ['Rust Rust Rust'], texts: ['rust'], score: 99 }),
        entry('titled', { titles: ['RUST'], score: 2 }),
        entry('named', { username: 'Rust', titles: ['Something else'], score: 1 }),
      );
      expect(await ids(search, name, 'rust')).toEqual(['titled', 'named', 'popular']);
    });

    test.for([
      ['@AI_News', 'ai_news'],
      ['ТЕМНАЯ сторона', 'Тёмная Сторона'],
      ['Тёмная Сторона', 'темная сторона'],
      ['мой'.normalize('NFD'), 'Мой'.normalize('NFC')],
      ['café'.normalize('NFD'), 'CAFÉ'],
      ['Ｆｕｌｌ', 'full'],
      ['C#', 'c#'],
      ['🔥', '🔥'],
    ])('%s is exactly the name %s', async ([q, title]) => {
      const search = await client();
      const name = await index(
        search,
        entry('longer', { titles: [`${title} and more`], score: 90 }),
        entry('exact', { titles: [title as string], score: 1 }),
      );
      expect((await ids(search, name, q as string))[0]).toBe('exact');
    });

    test('equal matches are ordered by score descending, then by id', async () => {
      const search = await client();
      const title = { titles: ['Same words'] };
      const name = await index(
        search,
        entry('b', { ...title, score: 10 }),
        entry('c', { ...title, score: 10.1 }),
        entry('a', { ...title, score: 10 }),
      );
      expect(await ids(search, name, 'words')).toEqual(['c', 'a', 'b']);
    });

    test('every word has to match, in any order', async () => {
      const search = await client();
      const name = await index(
        search,
        entry('both', { titles: ['Docker in Novosibirsk'] }),
        entry('one', { titles: ['Docker elsewhere'] }),
      );
      expect(await ids(search, name, 'novosibirsk docker')).toEqual(['both']);
    });

    test('the last word may be unfinished', async () => {
      const search = await client();
      const name = await index(search, entry('a', { titles: ['Kubernetes Community'] }));
      for (const q of ['k', 'kube', 'kubernetes comm', 'community kub']) {
        expect(await ids(search, name, q)).toEqual(['a']);
      }
    });

    test.for(['c', 's', 'sc', 'p', 'x'])(
      'the beginning %s is one as typed, whatever the word sounds like',
      async (q) => {
        const search = await client();
        const name = await index(search, entry('a', { titles: ['Chat Science', 'Photo Xml'] }));
        expect(await ids(search, name, q)).toEqual(['a']);
      },
    );

    test('both languages are searched, without regard to case', async () => {
      const search = await client();
      const name = await index(search, entry('ai', { titles: ['AI News', 'Новости ИИ'] }));
      for (const q of ['НОВОСТИ', 'новости ии', 'NEWS', 'ai новости']) {
        expect(await ids(search, name, q)).toEqual(['ai']);
      }
    });

    test.for([
      ['докер', 'Docker'],
      ['docker', 'Докер'],
      ['novosti', 'Новости'],
      ['новости', 'novosti'],
      ['yandeks', 'Яндекс'],
      ['вордпресс', 'WordPress'],
      ['линукс', 'Linux'],
      ['moskva', 'Москва'],
    ])('%s finds %s', async ([q, title]) => {
      const search = await client();
      const name = await index(search, entry('x', { titles: [`${title} 2026`] }), entry('other'));
      expect(await ids(search, name, q as string)).toEqual(['x']);
    });

    test.for([
      ['kubernets', 'Kubernetes'],
      ['wordperss', 'WordPress'],
      ['програмирование', 'Программирование'],
      ['беспилотинки', 'Беспилотники'],
      ['javascirpt', 'JavaScript'],
    ])('the slip of %s still finds %s', async ([q, title]) => {
      const search = await client();
      const name = await index(search, entry('x', { titles: [`${title} 2026`] }), entry('other'));
      expect(await ids(search, name, q as string)).toEqual(['x']);
    });

    test('what matches as typed comes before what matches only by allowing for a slip', async () => {
      const search = await client();
      const name = await index(
        search,
        entry('close', { titles: ['Closures'], score: 99 }),
        entry('real', { titles: ['All about', 'Closured'], score: 1 }),
      );
      const found = await ids(search, name, 'closured');
      expect(found[0]).toBe('real');
    });

    test('the other texts are searched too, behind the names', async () => {
      const search = await client();
      const name = await index(
        search,
        entry('told', { texts: ['a channel about gardening'], score: 90 }),
        entry('named', { titles: ['Gardening weekly'], score: 10 }),
        entry('neither'),
      );
      expect(await ids(search, name, 'gardening')).toEqual(['named', 'told']);
    });

    test('what nothing resembles finds nothing', async () => {
      const search = await client();
      const name = await index(search, entry('docker'), entry('kubernetes'));
      expect(
        await search.query(name, { q: 'zzyzxqw', filter: {}, exclude: [], offset: 0, limit: 50 }),
      ).toMatchObject({
        ids: [],
        total: 0,
        totalIsExact: true,
      });
    });
  });
}
