import { describe, expect, test } from 'vitest';

import { knowledgeOf } from '../../src/stores/search/asking/knowledge.ts';
import { NO_SYNONYMS, readSynonyms } from '../../src/stores/search/asking/synonyms.ts';
import { understand } from '../../src/stores/search/asking/understand.ts';
import { entry, ids, type Bench } from './search-bench.ts';

const ASKED = { filter: {}, exclude: [], offset: 0, limit: 10 } as const;

const FIVE = ['zorbian', 'kwemilto', 'fadurex', 'mubligo', 'hyntosk'];
const TEN = [...FIVE, 'qaveldi', 'pronquz', 'wistebo', 'jukarlom', 'xedifan'].join(' ');

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
        const search = await client();
        const name = await index(
          search,
          ...titles.map((title, at) => entry(`id-${at}`, { titles: [title] })),
        );
        expect(await ids(search, name, q)).toEqual(titles.slice(0, found).map((_title, at) => `id-${at}`));
      },
    );

    test('a name that begins with the query comes before one that has it further on', async () => {
      const search = await client();
      const name = await index(
        search,
        entry('further', { titles: ['PostgreSQL + Linux'], score: 99 }),
        entry('first', { titles: ['Linux for everybody'], score: 1 }),
        entry('glued', { titles: ['Linuxoid'], score: 50 }),
      );
      expect(await ids(search, name, 'линукс')).toEqual(['first', 'further', 'glued']);
    });

    test('of many names, too, those that begin with the query come first', async () => {
      const search = await client();
      const further = Array.from({ length: 240 }, (_, at) =>
        entry(`further${at}`, { titles: [`Talks: linux ${at}`], score: 99 }),
      );
      const name = await index(search, ...further, entry('first', { titles: ['Linux for all'], score: 1 }));
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
      const search = await client();
      const score = (id: string): number => (id === expected ? 1 : 50);
      const titles = ['Rust'];
      const name = await index(
        search,
        entry('bot', { titles, kind: 'bot', score: score('bot') }),
        entry('channel', { titles, subtype: 'broadcast', score: score('channel') }),
        entry('chat', { titles, subtype: 'group', score: score('chat') }),
        entry('other', { titles: ['Lisp'], subtype: 'group', texts: [word] }),
      );
      expect((await ids(search, name, `${word} rust`))[0]).toBe(expected);
    });

    test('of entries that do not tell their subtype the kind is enough', async () => {
      const search = await client();
      const titles = ['Rust'];
      const name = await index(
        search,
        entry('bot', { titles, kind: 'bot', score: 99 }),
        entry('a', { titles }),
      );
      expect((await ids(search, name, 'чат rust'))[0]).toBe('a');
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

    test('a whole word stands for no longer word that means something else', async () => {
      const search = await client();
      const name = await index(
        search,
        entry('else', { titles: ['JavaScript Jobs'], score: 99 }),
        entry('glued', { titles: ['JavaScriptJobs'], score: 98 }),
        entry('near', { titles: ['Spring Jobs'], score: 1 }),
      );
      expect((await ids(search, name, 'java jobs'))[0]).toBe('near');
      // Unfinished it may become one.
      expect((await ids(search, name, 'javasc')).toSorted()).toEqual(['else', 'glued']);
    });

    test('a word of a category stands for no longer term that names another one', async () => {
      const search = await client();
      const name = await index(
        search,
        entry('else', { titles: ['Zorbian forge'], score: 99 }),
        entry('glued', { username: 'kwezorbianbot', category: 'zorbians', score: 1 }),
      );
      const titles = [
        { slugs: ['zorbians'], titles: ['Zorbian'] },
        { slugs: ['forges'], titles: ['Zorbian forges'] },
      ];
      const understood = understand('zorbian', knowledgeOf(NO_SYNONYMS, titles));
      const hits = await search.query(name, { ...ASKED, q: 'zorbian', understood });
      expect(hits.ids).toEqual(['glued', 'else']);
    });

    test('a synonym inside of a longer word that means something else does not count', async () => {
      const search = await client();
      const name = await index(
        search,
        entry('else', { titles: ['MyCryptographyBlog'], score: 99 }),
        entry('meant', { titles: ['MyCryptoBlog'], score: 1 }),
      );
      expect(await ids(search, name, 'крипта')).toEqual(['meant']);
    });

    test.for(['bookish', 'mybookbot'])('a synonym of few sounds is found in %s', async (username) => {
      const search = await client();
      const name = await index(
        search,
        entry('meant', { username }),
        entry('else', { username: 'handbooker' }),
      );
      expect(await ids(search, name, 'книги')).toEqual(['meant']);
    });

    test('what is near is found before the bot of a username, too', async () => {
      const search = await client();
      const name = await index(search, entry('voicybot'), entry('voicyrobot'), entry('voicyan'));
      // Something near, which does not count inside of a name.
      expect(await ids(search, name, 'распознавание речи')).toEqual(['voicybot', 'voicyrobot']);
    });

    test('a synonym that is a stop word elsewhere is found in names, and not in texts', async () => {
      const search = await client();
      const name = await index(
        search,
        entry('told', { texts: ['What it is'], score: 99 }),
        entry('named', { titles: ['IT Samara'], score: 1 }),
      );
      expect(await ids(search, name, 'айтишники')).toEqual(['named']);
    });

    test('a name that begins with the very words comes before one that has another form of them in the category', async () => {
      const search = await client();
      const name = await index(
        search,
        entry('form', { titles: ['Mad developer'], category: 'qa', score: 99 }),
        entry('begins', { titles: ['Developers chat'], score: 1 }),
      );
      const knowledge = knowledgeOf(NO_SYNONYMS, [{ slugs: ['qa'], titles: ['Developers'] }]);
      const hits = await search.query(name, {
        ...ASKED,
        q: 'developers',
        understood: understand('developers', knowledge),
      });
      expect(hits.ids).toEqual(['begins', 'form']);
    });

    test('of equal matches the names that say the least beside come first', async () => {
      const search = await client();
      const name = await index(
        search,
        entry('long', { titles: ['Zorbian news of the region'], score: 99 }),
        entry('short', { titles: ['Zorbian news'], score: 1 }),
        entry('alone', { titles: ['Zorbian'], score: 0 }),
      );
      expect(await ids(search, name, 'zorbian ')).toEqual(['alone', 'short', 'long']);
    });

    test.for([
      ['how to make a zorbian', 'zorbian'],
      ['посоветуйте пожалуйста zorbian', 'zorbian'],
    ])('%s asks for %s alone', async ([q, title]) => {
      const search = await client();
      const name = await index(
        search,
        entry('a', { titles: [title as string] }),
        entry('b', { titles: ['Make'] }),
      );
      expect(await ids(search, name, q as string)).toEqual(['a']);
      expect(await ids(search, name, 'make')).toEqual(['b']);
    });

    test('of a whole question less than half is enough', async () => {
      const search = await client();
      const name = await index(search, entry('a', { titles: ['Zorbian'] }));
      expect(await ids(search, name, 'where zorbian kwemilto fadurex')).toEqual(['a']);
      expect(await ids(search, name, 'zorbian kwemilto fadurex')).toEqual([]);
    });

    test('beside a word of kind what is near is enough', async () => {
      const search = await client();
      const name = await index(search, entry('a', { titles: ['Combot'] }));
      expect(await ids(search, name, 'how to block spam in my group')).toEqual(['a']);
    });

    test('what only queries call a thing leads to it, and is not sought in entries', async () => {
      const search = await client();
      const name = await index(
        search,
        entry('a', { titles: ['Zorbian'] }),
        entry('b', { titles: ['Kwemilto'] }),
      );
      const knowledge = knowledgeOf(readSynonyms('zorbian, zorb < kwemilto', 'a file'), []);
      const asked = async (q: string): Promise<readonly string[]> =>
        (await search.query(name, { ...ASKED, q, understood: understand(q, knowledge) })).ids;
      expect(await asked('kwemilto')).toEqual(['b', 'a']);
      expect(await asked('zorb')).toEqual(['a']);
    });

    test('a name in a category of what is near comes before others that are equal', async () => {
      const search = await client();
      const name = await index(
        search,
        entry('elsewhere', { titles: ['Zorbian'], score: 99 }),
        entry('there', { titles: ['Zorbian'], category: 'qa', score: 1 }),
      );
      const synonyms = readSynonyms('zorbian, zorb > quality', 'a file');
      const knowledge = knowledgeOf(synonyms, [{ slugs: ['qa'], titles: ['Quality'] }]);
      const hits = await search.query(name, {
        ...ASKED,
        q: 'zorb',
        understood: understand('zorb', knowledge),
      });
      expect(hits.ids).toEqual(['there', 'elsewhere']);
    });

    test('a term that has synonyms is found by those of its words, too', async () => {
      const search = await client();
      const name = await index(
        search,
        entry('jobs', { titles: ['iOS jobs'], score: 99 }),
        entry('named', { titles: ['iOS developers'], score: 1 }),
      );
      expect((await ids(search, name, 'iOS разработчики'))[0]).toBe('named');
    });

    test('of two names of one thing either is enough', async () => {
      const search = await client();
      const name = await index(
        search,
        entry('both', { titles: ['Golang: Go bots'], score: 1 }),
        entry('one', { titles: ['Go for all'], score: 99 }),
      );
      expect(await ids(search, name, 'go golang')).toEqual(['one', 'both']);
    });

    test('the form that was typed comes before other forms', async () => {
      const search = await client();
      const name = await index(
        search,
        entry('other', { titles: ['The dev'], score: 99 }),
        entry('typed', { titles: ['The devs'], score: 1 }),
      );
      expect(await ids(search, name, 'devs')).toEqual(['typed', 'other']);
    });

    test.for([
      ['🐱', 'Kittens'],
      ['🐍', 'Python'],
      ['☕', 'Java'],
      ['✈️', 'Самолёты'],
      ['👨🏻‍🚀🚀', 'Rocket'],
      ['книжечки', 'Books'],
      ['подкастики', 'Podcasts'],
      ['тестировать', 'QA'],
    ] as const)('%s means %s', async ([q, title]) => {
      const search = await client();
      const name = await index(
        search,
        entry('meant', { titles: [`The ${title}`] }),
        entry('other', { titles: ['Catalog of metals'] }),
      );
      expect(await ids(search, name, q)).toEqual(['meant']);
    });

    test('a query of an emoji finds names that have it, then what it means', async () => {
      const search = await client();
      const name = await index(
        search,
        entry('meant', { titles: ['Unicorns'], score: 99 }),
        entry('has', { titles: ['Service 🦄'], score: 1 }),
        entry('other', { titles: ['Service 🐳'], score: 50 }),
      );
      expect(await ids(search, name, '🦄')).toEqual(['has', 'meant']);
      expect(await ids(search, name, 'emoji')).toEqual([]);
    });

    test('beside words an emoji says nothing', async () => {
      const search = await client();
      const name = await index(
        search,
        entry('a', { titles: ['Docker'] }),
        entry('b', { titles: ['Kittens'] }),
      );
      expect(await ids(search, name, '🐱 docker')).toEqual(['a']);
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

    test.for(['zzyzxqw', 'qqqqzzzz'])('what nothing resembles finds nothing: %s', async (q) => {
      const search = await client();
      const name = await index(search, entry('docker'), entry('kubernetes'), entry('kz'));
      expect(await search.query(name, { q, filter: {}, exclude: [], offset: 0, limit: 50 })).toMatchObject({
        ids: [],
        total: 0,
        totalIsExact: true,
      });
    });
  });
}
