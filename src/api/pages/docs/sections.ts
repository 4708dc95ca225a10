import { readFileSync } from 'node:fs';

import type { Locale } from '../../../texts/texts.ts';
import { paths } from '../shell/frame.ts';
import { parseSection, type Section } from './section.ts';
import type { Writing } from './writing.ts';

/**
 * The guide: a file of Markdown for each section and language, `guide/<language>/<section>.md`. The first page has the way
 * to a first answer, and the errors: whatever the API refuses leads there by the code. Each other page is one section.
 */
const FIRST = ['quick-start', 'errors'] as const;

export const GUIDE_PAGES = [
  'authentication',
  'limits',
  'search',
  'languages',
  'score',
  'monitor',
  'changes',
  'client',
  'changelog',
] as const;

export type GuidePageName = (typeof GUIDE_PAGES)[number];
export type SectionName = (typeof FIRST)[number] | GuidePageName;
export const SECTIONS: readonly SectionName[] = [...FIRST, ...GUIDE_PAGES];

/** The files as they are, their constants not filled in. */
export type Guide = Readonly<Record<Locale, ReadonlyMap<SectionName, string>>>;

export function readGuide(): Guide {
  const read = (locale: Locale, name: SectionName) =>
    readFileSync(new URL(`guide/${locale}/${name}.md`, import.meta.url), 'utf8');
  const readAll = (locale: Locale) => new Map(SECTIONS.map((name) => [name, read(locale, name)]));
  return { ru: readAll('ru'), en: readAll('en') };
}

export function sectionOf(name: SectionName, { guide, locale, fill }: Writing): Section {
  return parseSection(name, fill(guide[locale].get(name) ?? ''));
}

export function firstSections(writing: Writing): readonly Section[] {
  return FIRST.map((name) => sectionOf(name, writing));
}

/** Where a page is, in each language, from the root of the host on; null is the first. */
export function guidePlace(name: GuidePageName | null): (locale: Locale) => string {
  return name === null ? paths.guide : (locale) => `${paths.guide(locale)}/${name}`;
}
