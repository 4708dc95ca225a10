import { describe, expect, test } from 'vitest';

import { knowledgeOf } from '../../src/stores/search/query/knowledge.ts';
import { readSynonyms } from '../../src/stores/search/query/synonyms.ts';
import { parseQuery } from '../../src/stores/search/query/parse-query.ts';
import { entry, expectOrder, ids, type Bench, type Order } from './search-bench.ts';

const NO_SYNONYMS = readSynonyms('', 'nothing');

const ORDERS: Readonly<Record<string, Order>> = {
  'a synonym inside of a longer word that means something else is neither found nor counted': {
    q: 'крипта',
    found: ['MyCryptoBlog'],
    others: ['MyCryptographyBlog'],
  },
  'of equal matches the names that say the least beside come first': {
    q: 'zorbian ',
    found: ['Zorbian', 'Zorbian news', 'Zorbian news of the region'],
  },
  'beside a word of kind what is near is enough': { q: 'how to block spam in my group', found: ['Combot'] },
  'the form that was typed comes before other forms': { q: 'devs', found: ['The devs', 'The dev'] },
  'a term that has synonyms is found by those of its words, too': {
    q: 'iOS разработчики',
    found: ['iOS developers', 'iOS jobs'],
  },
  'beside words an emoji says nothing': { q: '🐱 docker', found: ['Docker'], others: ['Kittens'] },
};

/** What words, terms, emoji and questions mean. */
export function describeMeaning({ filled }: Bench): void {
  describe('meaning', () => {
    test.each(Object.entries(ORDERS))('%s', (_rule, order) => expectOrder(filled, order));

    test('a whole word stands for no longer word that means something else', async () => {
      const { search, name } = await filled(
        entry('else', { titles: ['JavaScript Jobs'], score: 99 }),
        entry('glued', { titles: ['JavaScriptJobs'], score: 98 }),
        entry('near', { titles: ['Spring Jobs'], score: 1 }),
      );
      expect((await ids(search, name, 'java jobs'))[0]).toBe('near');
      // Unfinished it may become one.
      expect((await ids(search, name, 'javasc')).toSorted()).toEqual(['else', 'glued']);
    });

    test('a word of a category stands for no longer term that names another one', async () => {
      const { search, name } = await filled(
        entry('else', { titles: ['Zorbian forge'], score: 99 }),
        entry('glued', { username: 'kwezorbianbot', category: 'zorbians', score: 1 }),
      );
      const titles = [
        { slugs: ['zorbians'], titles: ['Zorbian'] },
        { slugs: ['forges'], titles: ['Zorbian forges'] },
      ];
      const understood = parseQuery('zorbian', knowledgeOf(NO_SYNONYMS, titles));
      expect(await ids(search, name, 'zorbian', { understood })).toEqual(['glued', 'else']);
    });

    test.for(['bookish', 'mybookbot'])('a synonym of few sounds is found in %s', async (username) => {
      const { search, name } = await filled(
        entry('meant', { username }),
        entry('else', { username: 'handbooker' }),
      );
      expect(await ids(search, name, 'книги')).toEqual(['meant']);
    });

    test('what is near is found before the bot of a username, too', async () => {
      const { search, name } = await filled(entry('voicybot'), entry('voicyrobot'), entry('voicyan'));
      // Something near, which does not count inside of a name.
      expect(await ids(search, name, 'распознавание речи')).toEqual(['voicybot', 'voicyrobot']);
    });

    test('a synonym that is a stop word elsewhere is found in names, and not in texts', async () => {
      const { search, name } = await filled(
        entry('told', { texts: ['What it is'], score: 99 }),
        entry('named', { titles: ['IT Samara'], score: 1 }),
      );
      expect(await ids(search, name, 'айтишники')).toEqual(['named']);
    });

    test('a name that begins with the very words comes before one that has another form of them in the category', async () => {
      const { search, name } = await filled(
        entry('form', { titles: ['Mad developer'], category: 'qa', score: 99 }),
        entry('begins', { titles: ['Developers chat'], score: 1 }),
      );
      const knowledge = knowledgeOf(NO_SYNONYMS, [{ slugs: ['qa'], titles: ['Developers'] }]);
      const understood = parseQuery('developers', knowledge);
      expect(await ids(search, name, 'developers', { understood })).toEqual(['begins', 'form']);
    });

    test.for([
      ['how to make a zorbian', 'zorbian'],
      ['посоветуйте пожалуйста zorbian', 'zorbian'],
    ])('%s asks for %s alone', async ([q, title]) => {
      const { search, name } = await filled(
        entry('a', { titles: [title as string] }),
        entry('b', { titles: ['Make'] }),
      );
      expect(await ids(search, name, q as string)).toEqual(['a']);
      expect(await ids(search, name, 'make')).toEqual(['b']);
    });

    test('of a whole question less than half is enough', async () => {
      const { search, name } = await filled(entry('a', { titles: ['Zorbian'] }));
      expect(await ids(search, name, 'where zorbian kwemilto fadurex')).toEqual(['a']);
      expect(await ids(search, name, 'zorbian kwemilto fadurex')).toEqual([]);
    });

    test('what only queries call a thing leads to it, and is not sought in entries', async () => {
      const { search, name } = await filled(
        entry('a', { titles: ['Zorbian'] }),
        entry('b', { titles: ['Kwemilto'] }),
      );
      const knowledge = knowledgeOf(readSynonyms('zorbian, zorb < kwemilto', 'a file'), []);
      const understood = parseQuery('kwemilto', knowledge);
      expect(await ids(search, name, 'kwemilto', { understood })).toEqual(['b', 'a']);
      expect(await ids(search, name, 'zorb', { understood: parseQuery('zorb', knowledge) })).toEqual(['a']);
    });

    test('a name in a category of what is near comes before others that are equal', async () => {
      const { search, name } = await filled(
        entry('elsewhere', { titles: ['Zorbian'], score: 99 }),
        entry('there', { titles: ['Zorbian'], category: 'qa', score: 1 }),
      );
      const synonyms = readSynonyms('zorbian, zorb > quality', 'a file');
      const knowledge = knowledgeOf(synonyms, [{ slugs: ['qa'], titles: ['Quality'] }]);
      expect(await ids(search, name, 'zorb', { understood: parseQuery('zorb', knowledge) })).toEqual([
        'there',
        'elsewhere',
      ]);
    });

    test('of two names of one thing either is enough', async () => {
      const { search, name } = await filled(
        entry('both', { titles: ['Golang: Go bots'], score: 1 }),
        entry('one', { titles: ['Go for all'], score: 99 }),
      );
      expect(await ids(search, name, 'go golang')).toEqual(['one', 'both']);
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
      const { search, name } = await filled(
        entry('meant', { titles: [`The ${title}`] }),
        entry('other', { titles: ['Catalog of metals'] }),
      );
      expect(await ids(search, name, q)).toEqual(['meant']);
    });

    test('a query of an emoji finds names that have it, then what it means', async () => {
      const { search, name } = await filled(
        entry('meant', { titles: ['Unicorns'], score: 99 }),
        entry('has', { titles: ['Service 🦄'], score: 1 }),
        entry('other', { titles: ['Service 🐳'], score: 50 }),
      );
      expect(await ids(search, name, '🦄')).toEqual(['has', 'meant']);
      expect(await ids(search, name, 'emoji')).toEqual([]);
    });
  });
}
