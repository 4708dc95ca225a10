import { type Locale, LOCALES } from '../../../texts/texts.ts';
import {
  sectionMarkdown,
  firstSections,
  GUIDE_PAGES,
  type GuidePageName,
  guidePlace,
  sectionOf,
} from './guide-sections.ts';
import { escaped } from './guide-tables.ts';
import type { DocsContext } from './docs-context.ts';

/** The guide for programs that read: its pages as Markdown, and where to begin (https://llmstxt.org). */

export function firstMarkdown(context: DocsContext): string {
  const { product, lead, more } = context.texts;
  const sections = firstSections(context).map((one) => sectionMarkdown(one, 2));
  const blocks = [
    `# ${product}\n`,
    `${lead}\n`,
    ...sections,
    `## ${more}\n`,
    `${links(GUIDE_PAGES, context)}\n`,
  ];
  return blocks.join('\n');
}

export function pageMarkdown(name: GuidePageName): (context: DocsContext) => string {
  return (context) => sectionMarkdown(sectionOf(name, context), 1);
}

/** To twins in Markdown; null is the first page, called by what it begins with. */
function links(names: readonly (GuidePageName | null)[], context: DocsContext): string {
  const { root, locale } = context;
  const link = (name: GuidePageName | null) => {
    const { title } = sectionOf(name ?? 'quick-start', context);
    return `- [${escaped(title)}](${root}${guidePlace(name)(locale)}.md)`;
  };
  return names.map(link).join('\n');
}

/** `contextOf` is asked for each language; links in it are absolute. */
export function llmsText(contextOf: (locale: Locale) => DocsContext): string {
  const { texts, root } = contextOf('en');
  const parts = LOCALES.toReversed().map((locale) => {
    const context = contextOf(locale);
    const language = locale === 'en' ? '' : ' (Russian)';
    return `## ${context.texts.guide}${language}\n\n${links([null, ...GUIDE_PAGES], context)}\n\n`;
  });
  return `# ${texts.product}

> ${texts.lead}

## API

- [OpenAPI 3.1](${root}openapi.json): every address, parameter and field
- [Reference](${root}docs/en/reference): the same for people, with samples in curl, JavaScript and Python

${parts.join('').trimEnd()}
`;
}
