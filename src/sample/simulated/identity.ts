import { once } from '../../platform/once.ts';
import { readDataLines, readEntries, type SampleEntry } from '../catalog.ts';
import phrases from '../data/phrases.json' with { type: 'json' };
import { oneOf, type Random, type Randoms } from '../random.ts';
import type { Brand } from './brand.ts';

export type Language = 'ru' | 'en';

/** What never changes about a simulated entry. */
export interface Identity extends Pick<SampleEntry, 'slug' | 'username' | 'kind' | 'subtype'> {
  readonly number: number;
  /** The languages of its texts, its own first. */
  readonly languages: readonly [Language, ...Language[]];
  /** Where it was first filed. */
  readonly category: string | null;
  readonly brand: Brand;
}

/**
 * The identity of an entry by its number from 0: a pure function of the seed and the number. No two slugs are equal: a
 * username either contains the number, or begins or ends with the entry's own brand.
 */
export function createIdentities(
  randoms: Randoms,
  brandOf: (entry: number) => Brand,
): (entry: number) => Identity {
  // Categories are as frequent as in the shipped catalog.
  const categories = readEntries().map(({ category }) => category);
  return (number) => {
    const random = randoms(number);
    const brand = brandOf(number);
    const kind = kindOf(random);
    const category = oneOf(random, categories);
    const languages = oneOf(random, LANGUAGES);
    const username = usernameOf(number, brand, kind, category, random);
    return {
      number,
      slug: username.toLowerCase().replaceAll('_', '-'),
      username,
      kind,
      ...(kind === 'channel' ? { subtype: random.uniform() < 0.55 ? 'broadcast' : 'group' } : {}),
      languages,
      category,
      brand,
    };
  };
}

function kindOf(random: Random): Identity['kind'] {
  const place = random.uniform();
  return place < 0.72 ? 'channel' : place < 0.94 ? 'bot' : 'miniapp';
}

/** Half of all entries are Russian only; one in six has both languages. */
const LANGUAGES: readonly Identity['languages'][] = [['ru'], ['ru'], ['ru'], ['en'], ['en'], ['ru', 'en']];

function usernameOf(
  number: number,
  { latin }: Brand,
  kind: Identity['kind'],
  category: string | null,
  random: Random,
): string {
  const [topic = ''] = oneOf(random, topicsOf(category).en).split(' ');
  const suffix = oneOf<string>(random, phrases.suffixes[kind]);
  return oneOf(random, [
    kind === 'channel' ? latin : `${latin}${suffix}`,
    `${latin}_${suffix}`,
    capitalised(latin) + capitalised(suffix),
    `${topic}_${latin}`,
    `${topic}${number}_${suffix}`,
    `${topic}${suffix}${number}`,
  ]);
}

export function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/**
 * What simulated entries are about, by category. Every Russian phrase looks the same in the nominative and the
 * accusative, so that it fits after "Всё про" as well as alone.
 */
interface Topics {
  /** A slug; null for entries without one, and for every slug that has no topics of its own. */
  readonly category: string | null;
  readonly en: readonly string[];
  readonly ru: readonly string[];
}

const topics = once(
  () => new Map((readDataLines('topics.ndjson') as readonly Topics[]).map((one) => [one.category, one])),
);

export function topicsOf(category: string | null): Topics {
  const found = topics().get(category) ?? topics().get(null);
  if (!found) throw new TypeError('topics.ndjson has no topics for what is without a category');
  return found;
}
