import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { PublishedView } from '../../../../../projections/listings/document.ts';
import { searchedTexts, searchEntry } from '../../../../../projections/listings/search-entry.ts';
import { knowledgeOf } from '../../../../../src/stores/search/query/knowledge.ts';
import { shippedSynonyms } from '../../../../../src/stores/search/query/synonyms.ts';
import { parseQuery } from '../../../../../src/stores/search/query/parse-query.ts';
import {
  MOST_MATCHES,
  MOST_RANGES,
  matchesOf,
} from '../../../../../src/stores/search/matches/explain-hit.ts';
import { placedEntry, type ReadEntry } from '../../../../../src/stores/search/matches/placed-entry.ts';
import { inTraits, traitsOf } from '../../../../../src/stores/search/ranking/evaluate-condition.ts';
import { planOf } from '../../../../../src/stores/search/ranking/query-plan.ts';
import { hadBy, relevanceBy } from '../../../../../src/stores/search/ranking/relevance.ts';
import { anyText } from '../../../../support/any-text.ts';
import { words } from '../../../../support/words.ts';

const KNOWLEDGE = knowledgeOf(shippedSynonyms(), [
  { slugs: ['technology', 'data-science'], titles: ['Технологии', 'Technology'] },
]);

function planned(q: string) {
  return planOf(parseQuery(q, KNOWLEDGE));
}

interface Told {
  readonly username?: string;
  readonly ru?: string;
  readonly en?: string;
  readonly tags?: readonly string[];
  readonly description?: string;
  readonly kind?: string;
  readonly category?: string | null;
}

function listing({
  username = 'x',
  ru,
  en,
  tags = [],
  description,
  kind = 'channel',
  category = null,
}: Told): PublishedView {
  const told = { username, title: { ru, en }, tags, summary: null, description: { ru: description } };
  const view = { ...told, published: true, kind, subtype: null, category, score: { value: 0 } };
  return view as unknown as PublishedView;
}

function entryOf(told: Told): ReadEntry {
  const view = listing(told);
  return { ...view, texts: searchedTexts(view) };
}

/** What matched, as `field how: the characters`. */
function shown(q: string, entry: ReadEntry): readonly string[] {
  return matchesOf(planned(q), entry).map(({ field, language, item, how, ranges }) => {
    const letters = Array.from(
      entry.texts.find((one) => one.field === field && one.language === language && one.item === item)
        ?.text ?? '',
    );
    const parts = ranges.map(({ start, end }) => letters.slice(start, end).join(''));
    return [field, language, item, `${how}:`, ...parts.map((part) => `[${part}]`)]
      .filter((one) => one !== null)
      .join(' ');
  });
}

describe('what of a hit matched', () => {
  test.each<[string, string, Told, readonly string[]]>([
    ['own words', 'новости', { ru: '🗞 Новости, НОВОСТИ' }, ['title ru words: [Новости] [НОВОСТИ]']],
    ['another form', 'вакансий', { ru: 'Вакансии Москвы' }, ['title ru words: [Вакансии]']],
    ['the other script', 'докер', { en: 'The Docker club' }, ['title en words: [Docker]']],
    ['the other layout', 'ljrth', { en: 'The Docker club' }, ['title en words: [Docker]']],
    ['a synonym', 'ИИ', { en: 'All about AI' }, ['title en synonym: [AI]']],
    ['a beginning', 'pyth', { en: 'Python 𝐏ython' }, ['title en beginning: [Python] [𝐏ython]']],
    ['inside of a word', 'ython', { en: 'Cpython notes' }, ['title en inside: [Cpython]']],
    [
      'a slip of the finger',
      'flibbertigobet',
      { en: 'The Flibbertigibbet' },
      ['title en slips: [Flibbertigibbet]'],
    ],
    [
      'a slip that takes a space away',
      'русскийдокр',
      { ru: 'Русский докер' },
      ['title ru slips: [Русский] [докер]'],
    ],
    ['a name that equals the query', 'c++', { ru: 'С++' }, ['title ru name: [С++]']],
    [
      'a link',
      'https://t.me/golang_news/12',
      { username: 'golang_news', ru: 'Го' },
      ['username name: [golang_news]'],
    ],
    ['a username', '@golang', { username: 'golang_news' }, ['username words: [golang]']],
    [
      'a glued name',
      'created',
      { username: 'AccountCreatedBot' },
      ['username inside: [AccountCreatedBot]', 'username words: [Created]'],
    ],
    ['a tag', 'rust', { tags: ['ml', 'rust'] }, ['tags 1 words: [rust]']],
    [
      'names and texts',
      'rust',
      { en: 'Rust', description: 'Все о rust.' },
      ['title en name: [Rust]', 'description ru words: [rust]'],
    ],
    ['marks on letters', 'елка', { ru: 'Моя Е\u0308лка' }, ['title ru words: [Е\u0308лка]']],
    [
      'a category, of which no characters match',
      'технологии',
      { category: 'data-science' },
      ['category category:'],
    ],
    ['a kind', 'боты погоды', { kind: 'bot', ru: 'Погода' }, ['kind kind:', 'title ru words: [Погода]']],
    ['nothing, where it does not match', 'rust', { en: 'Gardens' }, []],
    ['a name of signs', '+++', { ru: '+++' }, ['title ru name: [+++]']],
  ])('%s', (_, q, entry, expected) => {
    expect(shown(q, entryOf(entry))).toEqual(expected);
  });

  test('a part is called by the words that were meant', () => {
    expect(matchesOf(planned('ljrth'), entryOf({ en: 'The Docker club' })).map(({ part }) => part)).toEqual([
      'докер',
    ]);
  });

  test('an entry has of a query what an index says that it has, whatever is asked', () => {
    const word = fc.constantFrom(...words('ИИ AI докер docker новости бот технологии C++ е\u0308 ython 𝐀'));
    const text = fc
      .array(fc.oneof(word, anyText(6)), { minLength: 1, maxLength: 6 })
      .map((parts) => parts.join(' '));
    fc.assert(
      fc.property(text, text, text, text, (q, ru, en, description) => {
        const told = { ru, en, description, tags: [ru], category: 'technology' };
        const entry = entryOf(told);
        const stored = searchEntry('x', listing(told));
        const indexed = stored && traitsOf(stored);
        if (indexed === null) throw new Error('A published listing has an entry');
        const { full, otherwise } = planned(q);
        for (const wanted of [full, ...otherwise].filter((one) => one !== null)) {
          const placed = placedEntry(entry);
          const hadOf = wanted.parts.map((part) => hadBy(part, inTraits));
          expect(hadOf.map((one) => one(placed))).toEqual(hadOf.map((one) => one(indexed)));
          // Where words matter, something is told of what matched.
          const isTold = matchesOf(planned(q), entry).length > 0;
          expect(isTold || relevanceBy(wanted, inTraits)(indexed) === null).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('however much is asked of however long a text, little is told, and ranges stay within their texts', () => {
    const letters = Array.from('абвгдежзиклмнопрстуфхцчшщэюя');
    const q = letters.join(' ');
    const long = Array.from({ length: 250 }, (_, at) => `${letters[at % 28] ?? ''}\u0301𝐀 ии`).join(' 👩‍💻 ');
    const entry = entryOf({
      ru: long,
      en: long,
      description: `${long} ${q}`,
      tags: Array.from({ length: 20 }, () => q),
    });
    const matches = matchesOf(planned(q), entry);
    expect(matches).toHaveLength(MOST_MATCHES);
    for (const { ranges, field, language, item } of matches) {
      const text = entry.texts.find(
        (one) => one.field === field && one.language === language && one.item === item,
      );
      expect(ranges.length).toBeLessThanOrEqual(MOST_RANGES);
      let before = 0;
      for (const { start, end } of ranges) {
        expect(start).toBeGreaterThanOrEqual(before);
        expect(end).toBeGreaterThan(start);
        before = end;
      }
      expect(before).toBeLessThanOrEqual(Array.from(text?.text ?? '').length);
    }
  });
});
