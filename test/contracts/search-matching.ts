import { describe, expect, test } from 'vitest';

import { entry, expectOrder, ids, type Bench, type Order } from './search-bench.ts';

const FIVE = ['zorbian', 'kwemilto', 'fadurex', 'mubligo', 'hyntosk'];
const TEN = [...FIVE, 'qaveldi', 'pronquz', 'wistebo', 'jukarlom', 'xedifan'].join(' ');

const ORDERS: Readonly<Record<string, Order>> = {
  'a name that begins with the query comes before one that has it further on': {
    q: 'линукс',
    found: ['Linux for everybody', 'PostgreSQL + Linux', 'Linuxoid'],
  },
  'every word has to match, in any order': {
    q: 'novosibirsk docker',
    found: ['Docker in Novosibirsk'],
    others: ['Docker elsewhere'],
  },
};

/** What is found, and in which order. */
export function describeMatching({ filled }: Bench): void {
  describe('matching', () => {
    test.each(Object.entries(ORDERS))('%s', (_rule, order) => expectOrder(filled, order));

    test('a username or a title that is the query comes first, however popular the others are', async () => {
      const { search, name } = await filled(
        entry('popular', { titles: ['Rust Rust Rust'], texts: ['rust'], score: 99 }),
        entry('titled', { titles: ['RUST'], score: 2 }),
        entry('named', { username: 'Rust', titles: ['Something else'], score: 1 }),
      );
      expect(await ids(search, name, 'rust')).toEqual(['titled', 'named', 'popular']);
    });

    test('however many better ones begin with the query, the name that equals it comes first, and then the one that sounds like it', async () => {
      const better = Array.from({ length: 130 }, (_, at) =>
        entry(`better-${at}`, { titles: [`Zorbian ${FIVE[at % 5]} ${at}`], score: 50 }),
      );
      const { search, name } = await filled(
        ...better,
        entry('equal', { titles: ['Zorbian'], score: 0 }),
        entry('heard', { titles: ['Зорбиан'], score: 0 }),
      );
      expect((await ids(search, name, 'zorbian')).slice(0, 2)).toEqual(['equal', 'heard']);
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
      const { search, name } = await filled(
        entry('longer', { titles: [`${title} and more`], score: 90 }),
        entry('exact', { titles: [title as string], score: 1 }),
      );
      expect((await ids(search, name, q as string))[0]).toBe('exact');
    });

    test('equal matches are ordered by score descending, then by id', async () => {
      const title = { titles: ['Same words'] };
      const { search, name } = await filled(
        entry('b', { ...title, score: 10 }),
        entry('c', { ...title, score: 10.1 }),
        entry('a', { ...title, score: 10 }),
      );
      expect(await ids(search, name, 'words')).toEqual(['c', 'a', 'b']);
    });

    test.for([
      // Frequent words weigh half, so the other one decides.
      ['zorbian news', ['Zorbian news', 'Zorbian', 'News'], 2],
      [
        'zorbian kwemilto fadurex',
        [
          'Zorbian kwemilto fadurex',
          'Zorbian kwemilto',
          'Zorbian fadurex',
          'Kwemilto fadurex',
          'Zorbian',
          'Fadurex',
        ],
        4,
      ],
      // Of ten words the five heaviest count, and none of them can be missing.
      [TEN, [TEN, FIVE.join(' '), FIVE.slice(0, 4).join(' '), TEN.slice(TEN.indexOf(' ') + 1)], 2],
    ] as const)(
      'where few have all words of %s, those with half of their weight follow',
      async ([q, titles, found]) => {
        const { search, name } = await filled(
          ...titles.map((title, at) => entry(`id-${at}`, { titles: [title] })),
        );
        expect(await ids(search, name, q)).toEqual(titles.slice(0, found).map((_title, at) => `id-${at}`));
      },
    );

    test('of many names, too, those that begin with the query come first', async () => {
      const further = Array.from({ length: 240 }, (_, at) =>
        entry(`further${at}`, { titles: [`Talks: linux ${at}`], score: 99 }),
      );
      const { search, name } = await filled(
        ...further,
        entry('first', { titles: ['Linux for all'], score: 1 }),
      );
      const hits = await search.query(name, { q: 'линукс', filter: {}, exclude: [], offset: 0, limit: 2 });
      expect(hits.ids[0]).toBe('first');
      expect(hits.total).toBe(241);
    });

    test.for([
      ['чат', 'chat'],
      ['группа', 'chat'],
      ['канал', 'channel'],
      ['бот', 'bot'],
    ] as const)('the word %s leans to entries that are one', async ([word, expected]) => {
      const score = (id: string): number => (id === expected ? 1 : 50);
      const titles = ['Rust'];
      const { search, name } = await filled(
        entry('bot', { titles, kind: 'bot', score: score('bot') }),
        entry('channel', { titles, subtype: 'broadcast', score: score('channel') }),
        entry('chat', { titles, subtype: 'group', score: score('chat') }),
        entry('other', { titles: ['Lisp'], subtype: 'group', texts: [word] }),
      );
      expect((await ids(search, name, `${word} rust`))[0]).toBe(expected);
    });

    test('of entries that do not tell their subtype the kind is enough', async () => {
      const titles = ['Rust'];
      const { search, name } = await filled(
        entry('bot', { titles, kind: 'bot', score: 99 }),
        entry('a', { titles }),
      );
      expect((await ids(search, name, 'чат rust'))[0]).toBe('a');
    });

    test('the last word may be unfinished', async () => {
      const { search, name } = await filled(entry('a', { titles: ['Kubernetes Community'] }));
      for (const q of ['k', 'kube', 'kubernetes comm', 'community kub']) {
        expect(await ids(search, name, q)).toEqual(['a']);
      }
    });

    test.for(['c', 's', 'sc', 'p', 'x'])(
      'the beginning %s is one as typed, whatever the word sounds like',
      async (q) => {
        const { search, name } = await filled(entry('a', { titles: ['Chat Science', 'Photo Xml'] }));
        expect(await ids(search, name, q)).toEqual(['a']);
      },
    );

    test('both languages are searched, without regard to case', async () => {
      const { search, name } = await filled(entry('ai', { titles: ['AI News', 'Новости ИИ'] }));
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
      ['kubernets', 'Kubernetes'],
      ['wordperss', 'WordPress'],
      ['програмирование', 'Программирование'],
      ['беспилотинки', 'Беспилотники'],
      ['javascirpt', 'JavaScript'],
    ])('%s finds %s', async ([q, title]) => {
      const { search, name } = await filled(entry('x', { titles: [`${title} 2026`] }), entry('other'));
      expect(await ids(search, name, q as string)).toEqual(['x']);
    });

    test('what matches as typed comes before what matches only by allowing for a slip', async () => {
      const { search, name } = await filled(
        entry('close', { titles: ['Closures'], score: 99 }),
        entry('real', { titles: ['All about', 'Closured'], score: 1 }),
      );
      const found = await ids(search, name, 'closured');
      expect(found[0]).toBe('real');
    });

    test('the other texts are searched too, behind the names', async () => {
      const { search, name } = await filled(
        entry('told', { texts: ['a channel about gardening'], score: 90 }),
        entry('named', { titles: ['Gardening weekly'], score: 10 }),
        entry('neither'),
      );
      expect(await ids(search, name, 'gardening')).toEqual(['named', 'told']);
    });

    test.for(['zzyzxqw', 'qqqqzzzz'])('what nothing resembles finds nothing: %s', async (q) => {
      const { search, name } = await filled(entry('docker'), entry('kubernetes'), entry('kz'));
      expect(await search.query(name, { q, filter: {}, exclude: [], offset: 0, limit: 50 })).toMatchObject({
        ids: [],
        total: 0,
        totalIsExact: true,
      });
    });
  });
}
