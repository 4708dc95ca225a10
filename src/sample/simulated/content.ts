import type { Instant } from '../../platform/time/instant.ts';
import type { JsonObject } from '../../platform/json-value.ts';
import { readEntries } from '../catalog.ts';
import phrases from '../data/phrases.json' with { type: 'json' };
import { integer, oneOf, zipf, type Random, type Randoms } from '../random.ts';
import type { Brand } from './brand.ts';
import { capitalised, topicsOf, type Identity, type Language } from './identity.ts';

/** The parts of an entry's content that are edited on their own. */
const PARTS = ['title', 'description', 'tags', 'flags', 'verified', 'category'] as const;
export type Part = (typeof PARTS)[number];

/**
 * The content of an entry: a pure function of the seed, its identity and how often each part was edited. So nothing of
 * it has to be kept, and an edit leaves the other parts as they are.
 *
 * Addresses end in `.example`, which nobody can own (RFC 2606).
 */
export function createContents(
  randoms: Randoms,
  brandSomewhere: (random: Random) => Brand,
): (identity: Identity, edits: Readonly<Record<Part, number>>, publishedAt: Instant) => JsonObject {
  const categories = readEntries().map(({ category }) => category);
  return (identity, edits, publishedAt) => {
    const { number, kind, subtype, username, languages, brand } = identity;
    const edited = (part: Part): Random => randoms(number, (PARTS.indexOf(part) << 24) + edits[part]);
    const category = edits.category === 0 ? identity.category : oneOf(edited('category'), categories);
    // An entry goes on about what it was first filed under.
    const subject: Subject = { kind, category: identity.category, brand, other: brandSomewhere };
    const always = randoms(number, ALWAYS);
    const home = `https://${brand.latin}.example/`;
    return {
      kind,
      ...(subtype === undefined ? {} : { subtype }),
      username,
      title: inEach(languages, edited('title'), (language, random) => writeTitle(subject, language, random)),
      ...textsOf(subject, languages, edited('description')),
      ...(category === null ? {} : { category }),
      tags: tagsOf(identity, edited('tags')),
      language: languages[0],
      ...(always.uniform() < 0.3 ? { country: languages[0] === 'ru' ? 'RU' : 'GB' } : {}),
      verified: always.uniform() < 0.03 !== isOdd(edits.verified),
      flags: always.uniform() < 0.02 !== isOdd(edits.flags) ? [oneOf(edited('flags'), phrases.flags)] : [],
      ...(always.uniform() < 0.7 ? { image_url: `${home}picture.jpg` } : {}),
      open_url: `https://open.example/${username}`,
      links: always.uniform() < 0.25 ? [{ rel: 'site', url: home }] : [],
      published_at: publishedAt,
    };
  };
}

/** No part's number. */
const ALWAYS = 0xff << 24;

function isOdd(count: number): boolean {
  return count % 2 === 1;
}

/** Nine in ten have a summary, two in three a description as well. */
function textsOf(subject: Subject, languages: Identity['languages'], random: Random): JsonObject {
  const fullness = random.uniform();
  if (fullness < 0.1) return {};
  const summary = inEach(languages, random, (language) =>
    writeText(subject, language, random, { sentences: 1, between: ' ' }),
  );
  if (fullness < 0.35) return { summary };
  const length = { sentences: integer(random, 2, 7), between: random.uniform() < 0.3 ? '\n' : ' ' };
  const description = inEach(languages, random, (language) => writeText(subject, language, random, length));
  return { summary, description };
}

function tagsOf({ category, languages }: Identity, random: Random): readonly string[] {
  const topics = topicsOf(category)[languages[0]];
  const count = Math.floor(random.uniform() * 4);
  return [...new Set(Array.from({ length: count }, () => oneOf(random, topics)))];
}

function inEach(
  languages: Identity['languages'],
  random: Random,
  write: (language: Identity['languages'][0], random: Random) => string,
): JsonObject {
  return Object.fromEntries(languages.map((language) => [language, write(language, random)]));
}

/**
 * Titles and sentences with gaps: `{t}` a topic, `{n}` something that is published, `{b}` a brand, `{w}` when, `{y}` a
 * year. The first of a list are used far more often than the last (Zipf's law), as words are.
 */
const PHRASES = { ru: phrases.ru, en: phrases.en };

/** What an entry's texts are about. */
interface Subject extends Pick<Identity, 'kind' | 'category' | 'brand'> {
  /** Another entry's brand, for mentions. */
  readonly other: (random: Random) => Brand;
}

function writeTitle(subject: Subject, language: Language, random: Random): string {
  const { titles, botTitles } = PHRASES[language];
  const pattern = createPick(random)(subject.kind === 'channel' ? titles : botTitles);
  return filled(pattern, subject.brand, subject, language, random);
}

/** So many sentences, no two alike; `between` stands between two of them. */
function writeText(
  subject: Subject,
  language: Language,
  random: Random,
  { sentences, between }: { readonly sentences: number; readonly between: string },
): string {
  const { sentences: ofChannels, botSentences } = PHRASES[language];
  const pickPattern = createPick(random);
  return Array.from({ length: sentences }, () => {
    const pattern = pickPattern(subject.kind === 'channel' ? ofChannels : botSentences);
    return filled(pattern, subject.other(random), subject, language, random);
  }).join(between);
}

/** Frequent words come first in their lists. What was picked once is not picked again while there is anything else. */
function createPick(random: Random) {
  const picked = new Set<string>();
  return (words: readonly string[]): string => {
    const place = zipf(random, words.length);
    const found =
      words.find((word, index) => index >= place && !picked.has(word)) ??
      words.find((word) => !picked.has(word)) ??
      words[0] ??
      '';
    picked.add(found);
    return found;
  };
}

function filled(
  pattern: string,
  brand: Brand,
  { category }: Subject,
  language: Language,
  random: Random,
): string {
  const { nouns, times } = PHRASES[language];
  const pick = createPick(random);
  const fill = (gap: string): string => {
    switch (gap) {
      case 't':
        return pick(topicsOf(category)[language]);
      case 'n':
        return pick(nouns);
      case 'w':
        return pick(times);
      case 'y':
        return String(integer(random, 2014, 2025));
      default:
        return brandName(brand, language, random);
    }
  };
  return capitalised(pattern.replaceAll(/\{(\w)\}/g, (_, gap: string) => fill(gap)));
}

/** Russian texts often keep a brand in Latin letters. */
function brandName({ latin, cyrillic }: Brand, language: Language, random: Random): string {
  return capitalised(language === 'ru' && random.uniform() < 0.6 ? cyrillic : latin);
}
