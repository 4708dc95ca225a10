import { once } from '../../platform/once.ts';
import { readDataLines } from '../catalog.ts';
import phrases from '../data/phrases.json' with { type: 'json' };

/** Words that simulated entries are written with, as they stand in `data/`. */
export type Vocabulary = readonly string[];

/**
 * Titles and sentences with gaps: `{t}` a topic, `{n}` something that is published, `{b}` a brand, `{w}` when, `{y}` a
 * year. The first of a list are used far more often than the last (Zipf's law), as words are.
 */
export const PHRASES = { ru: phrases.ru, en: phrases.en };

/** How brands are spelt in Cyrillic, letter by letter. */
export const CYRILLIC: Readonly<Record<string, string>> = phrases.cyrillic;

/**
 * What simulated entries are about, by category. Every Russian phrase looks the same in the nominative and the
 * accusative, so that it fits after "Всё про" as well as alone.
 */
interface Topics {
  /** A slug; null for entries without one, and for every slug that has no topics of its own. */
  readonly category: string | null;
  readonly en: Vocabulary;
  readonly ru: Vocabulary;
}

const topics = once(
  () => new Map((readDataLines('topics.ndjson') as readonly Topics[]).map((one) => [one.category, one])),
);

export function topicsOf(category: string | null): Topics {
  const found = topics().get(category) ?? topics().get(null);
  if (!found) throw new TypeError('topics.ndjson has no topics for what is without a category');
  return found;
}
