import { type Locale, LOCALES } from '../../../texts/texts.ts';
import {
  sectionMarkdown,
  firstSections,
  GUIDE_PAGES,
  type GuidePageName,
  guidePlace,
  sectionOf,
} from './sections.ts';
import { escaped } from './tables.ts';
import type { Writing } from './writing.ts';

/** The guide for programs that read: its pages as Markdown, and where to begin (https://llmstxt.org). */

export function firstMarkdown(writing: Writing): string {
  const { product, lead, more } = writing.texts;
  const sections = firstSections(writing).map((one) => sectionMarkdown(one, 2));
  const blocks = [
    `# ${product}\n`,
    `${lead}\n`,
    ...sections,
    `## ${more}\n`,
    `${links(GUIDE_PAGES, writing)}\n`,
  ];
  return blocks.join('\n');
}

export function pageMarkdown(name: GuidePageName): (writing: Writing) => string {
  return (writing) => sectionMarkdown(sectionOf(name, writing), 1);
}

/** To twins in Markdown; null is the first page, called by what it begins with. */
function links(names: readonly (GuidePageName | null)[], writing: Writing): string {
  const { root, locale } = writing;
  const link = (name: GuidePageName | null) => {
    const { title } = sectionOf(name ?? 'quick-start', writing);
    return `- [${escaped(title)}](${root}${guidePlace(name)(locale)}.md)`;
  };
  return names.map(link).join('\n');
}

/** `writingOf` is asked for each language; links in it are absolute. */
export function llmsText(writingOf: (locale: Locale) => Writing): string {
  const { texts, root } = writingOf('en');
  const parts = LOCALES.toReversed().map((locale) => {
    const writing = writingOf(locale);
    const language = locale === 'en' ? '' : ' (Russian)';
    return `## ${writing.texts.guide}${language}\n\n${links([null, ...GUIDE_PAGES], writing)}\n\n`;
  });
  return `# ${texts.product}

> ${texts.lead}

## API

- [OpenAPI 3.1](${root}openapi.json): every address, parameter and field
- [Reference](${root}docs/en/reference): the same for people, with samples in curl, JavaScript and Python

${parts.join('').trimEnd()}
`;
}
