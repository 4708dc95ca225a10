import { integer, zipf, type Random } from '../random.ts';
import { capitalised, topicsOf, type Brand, type Language } from './identity.ts';
import phrases from '../data/phrases.json' with { type: 'json' };

/**
 * Titles and sentences with gaps: `{t}` a topic, `{n}` something that is published, `{b}` a brand, `{w}` when, `{y}` a
 * year. The first of a list are used far more often than the last (Zipf's law), as words are.
 */
const PHRASES = { ru: phrases.ru, en: phrases.en };

/** What an entry's texts are about. */
export interface Subject {
  readonly kind: 'channel' | 'bot' | 'miniapp';
  readonly category: string | null;
  readonly brand: Brand;
  /** Another entry's brand, for mentions. */
  readonly other: (random: Random) => Brand;
}

export function writeTitle(subject: Subject, language: Language, random: Random): string {
  const { titles, botTitles } = PHRASES[language];
  const pick = createPick(random);
  const pattern = pick(subject.kind === 'channel' ? titles : botTitles);
  return filled(pattern, { subject, language, random, pick, brand: subject.brand });
}

/** So many sentences, no two alike; `between` stands between two of them. */
export function writeText(
  subject: Subject,
  language: Language,
  random: Random,
  { sentences, between }: { readonly sentences: number; readonly between: string },
): string {
  const { sentences: ofChannels, botSentences } = PHRASES[language];
  const pickPattern = createPick(random);
  return Array.from({ length: sentences }, () => {
    const pattern = pickPattern(subject.kind === 'channel' ? ofChannels : botSentences);
    const pick = createPick(random);
    return filled(pattern, { subject, language, random, pick, brand: subject.other(random) });
  }).join(between);
}

/** Frequent words come first in their lists. What was picked once is not picked again while there is anything else. */
type Pick = (words: readonly string[]) => string;

function createPick(random: Random): Pick {
  const picked = new Set<string>();
  return (words) => {
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

interface PhraseContext {
  readonly subject: Subject;
  readonly language: Language;
  readonly random: Random;
  readonly pick: Pick;
  readonly brand: Brand;
}

function filled(pattern: string, { subject, language, random, pick, brand }: PhraseContext): string {
  const { nouns, times } = PHRASES[language];
  const fill = (gap: string): string => {
    switch (gap) {
      case 't':
        return pick(topicsOf(subject.category)[language]);
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
