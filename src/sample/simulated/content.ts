import type { Instant } from '../../platform/time/instant.ts';
import type { JsonObject } from '../../platform/json.ts';
import { readEntries } from '../catalog.ts';
import { integer, oneOf, type Random, type Randoms } from '../random.ts';
import { topicsOf, type Brand, type Identity } from './identity.ts';
import { writeText, writeTitle, type Subject } from './write-texts.ts';

/** The parts of an entry's content that are edited on their own. */
export const PARTS = ['title', 'description', 'tags', 'flags', 'verified', 'category'] as const;
export type Part = (typeof PARTS)[number];

/** How often a part of an entry has been edited. */
type Edits = (part: Part) => number;

/**
 * The content of an entry: a pure function of the seed, its identity and how often each part was edited. So nothing of
 * it has to be kept, and an edit leaves the other parts as they are.
 *
 * Addresses end in `.example`, which nobody can own (RFC 2606).
 */
export function createContents(
  randoms: Randoms,
  brandSomewhere: (random: Random) => Brand,
): (identity: Identity, edits: Edits, publishedAt: Instant) => JsonObject {
  const categories = readEntries().map(({ category }) => category);
  return (identity, edits, publishedAt) => {
    const { number, kind, subtype, username, languages, brand } = identity;
    const edited = (part: Part): Random => randoms(number, (PARTS.indexOf(part) << 24) + edits(part));
    const category = edits('category') === 0 ? identity.category : oneOf(edited('category'), categories);
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
      verified: always.uniform() < 0.03 !== isOdd(edits('verified')),
      flags: always.uniform() < 0.02 !== isOdd(edits('flags')) ? [oneOf(edited('flags'), FLAGS)] : [],
      ...(always.uniform() < 0.7 ? { image_url: `${home}picture.jpg` } : {}),
      open_url: `https://open.example/${username}`,
      links: always.uniform() < 0.25 ? [{ rel: 'site', url: home }] : [],
      published_at: publishedAt,
    };
  };
}

/** No part's number. */
const ALWAYS = 0xff << 24;

const FLAGS = ['scam', 'fake', 'restricted', 'adult'] as const;

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
