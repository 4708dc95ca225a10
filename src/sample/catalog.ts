import { readFileSync } from 'node:fs';

/** The facts in `data/`, as they stand there. */
export interface SampleCategory {
  readonly slug: string;
  readonly parent: string | null;
  readonly title: { readonly ru: string; readonly en: string };
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
  return linesOf('categories.ndjson').map((line) => JSON.parse(line) as SampleCategory);
}

export function readEntries(): readonly SampleEntry[] {
  return linesOf('entries.ndjson').map((line) => JSON.parse(line) as SampleEntry);
}

function linesOf(name: string): readonly string[] {
  const text = readFileSync(new URL(`data/${name}`, import.meta.url), 'utf8');
  return text.split('\n').filter((line) => line !== '');
}
