import { readFileSync } from 'node:fs';

import texts from './data/texts.json' with { type: 'json' };

/** The facts in `data/`, as they stand there. */
export interface SampleCategory {
  readonly slug: string;
  readonly parent: string | null;
  readonly title: Bilingual;
}

export interface SampleEntry {
  readonly slug: string;
  readonly kind: 'channel' | 'bot' | 'miniapp';
  /** Channels alone have one. */
  readonly subtype?: 'broadcast' | 'group';
  readonly username: string;
  /** In the entry's own language. */
  readonly title: string;
  readonly language: 'ru' | 'en';
  readonly category: string | null;
}

export function readCategories(): readonly SampleCategory[] {
  return readDataLines('categories.ndjson') as readonly SampleCategory[];
}

export function readEntries(): readonly SampleEntry[] {
  return readDataLines('entries.ndjson') as readonly SampleEntry[];
}

/** A JSON document for each line of a file in `data/`. */
export function readDataLines(name: string): readonly unknown[] {
  const lines = readFileSync(new URL(`data/${name}`, import.meta.url), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as unknown);
}

/**
 * Texts of the sample: sentences about what the data files say of an entry (its kind, its language, its category), and
 * nothing else. A text that somebody else could be thought to have written says that it was generated.
 */

/** The flags of every entry of the sample: its summary, description and tags are generated, and so are its numbers. */
export const FLAGS: readonly string[] = ['generated_text', 'generated_metrics'];

/** Titles of categories, by their slugs. */
export type Titles = ReadonlyMap<string, Bilingual>;

type Bilingual = { readonly ru: string; readonly en: string };

export function summaryOf({ kind, subtype, language, category }: SampleEntry, titles: Titles): Bilingual {
  const what = texts.kinds[kind === 'channel' ? (subtype ?? 'broadcast') : kind];
  const spoken = texts.languages[language];
  const topic = category === null ? undefined : titles.get(category);
  return {
    ru: `${what.ru} ${spoken.ru}.${topic ? ` Раздел «${topic.ru}».` : ''}`,
    en: `${what.en} ${spoken.en}.${topic ? ` Filed under “${topic.en}”.` : ''}`,
  };
}

export function descriptionOf(entry: SampleEntry, titles: Titles): Bilingual {
  const { ru, en } = summaryOf(entry, titles);
  return { ru: `${ru}\n\n${texts.notice.ru}`, en: `${en}\n\n${texts.notice.en}` };
}

/** What its category is called, in both languages; none where no category is known. */
export function tagsOf({ category }: SampleEntry, titles: Titles): readonly string[] {
  const topic = category === null ? undefined : titles.get(category);
  return topic === undefined ? [] : [...new Set([topic.ru, topic.en].map((title) => title.toLowerCase()))];
}

/** The page on which anybody may read a broadcast channel; null for what has none. */
export function pageOf({ kind, subtype, username }: SampleEntry): string | null {
  return kind === 'channel' && subtype === 'broadcast' ? `https://t.me/s/${username}` : null;
}
