import { readFileSync } from 'node:fs';

import { lexer, type MarkedToken, type Tokens } from 'marked';

import type { Locale } from '../../../texts/texts.ts';
import { paths } from '../shell/page-context.ts';
import type { DocsContext } from './docs-context.ts';

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

export function sectionOf(name: SectionName, { guide, locale, fill }: DocsContext): Section {
  return parseSection(name, fill(guide[locale].get(name) ?? ''));
}

export function firstSections(context: DocsContext): readonly Section[] {
  return FIRST.map((name) => sectionOf(name, context));
}

/** Where a page is, in each language, from the root of the host on; null is the first. */
export function guidePlace(name: GuidePageName | null): (locale: Locale) => string {
  return name === null ? paths.guide : (locale) => `${paths.guide(locale)}/${name}`;
}

/**
 * A section of the guide as it is read from Markdown: `# Title` first, then its parts, each under `## Title {#anchor}`. An
 * anchor is the same in every language.
 */
export interface Section extends Part {
  readonly parts: readonly Part[];
}

export interface Part {
  readonly id: string;
  /** As plain text. */
  readonly title: string;
  /** Whether the title is a word for programs, such as the code of an error. */
  readonly isTerm: boolean;
  readonly body: readonly MarkedToken[];
}

const ANCHOR = /\s*\{#([\w-]+)\}$/;

export function parseSection(id: string, markdown: string): Section {
  const parts: (Part & { readonly body: MarkedToken[] })[] = [];
  for (const token of lexer(markdown) as MarkedToken[]) {
    if (token.type === 'heading') parts.push({ ...titleOf(token, id), body: [] });
    else parts.at(-1)?.body.push(token);
  }
  const [first, ...others] = parts;
  if (!first) throw new Error(`the section ${id} of the guide has no title`);
  return { ...first, parts: others };
}

function titleOf({ text }: Tokens.Heading, section: string): Omit<Part, 'body'> {
  const [, id = section] = ANCHOR.exec(text) ?? [];
  const title = text.replace(ANCHOR, '');
  const [, term] = /^`(.+)`$/.exec(title) ?? [];
  return { id, title: term ?? title, isTerm: term !== undefined };
}

/** As Markdown again, under a heading of this level, without anchors. */
export function sectionMarkdown(section: Section, level: number): string {
  return [partMarkdown(section, level), ...section.parts.map((one) => partMarkdown(one, level + 1))].join(
    '\n',
  );
}

function partMarkdown({ title, isTerm, body }: Part, level: number): string {
  const heading = `${'#'.repeat(level)} ${isTerm ? `\`${title}\`` : title}\n`;
  return body.every(({ type }) => type === 'space') ? heading : `${heading}\n${markdownOf(body).trim()}\n`;
}

export function markdownOf(blocks: readonly MarkedToken[]): string {
  return blocks.map(({ raw }) => raw).join('');
}
