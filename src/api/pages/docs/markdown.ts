import { LOCALES, type Locale } from '../../messages/texts.ts';
import { blocksMarkdown, escaped, sectionMarkdown } from './block-markdown.ts';
import { firstSections, type GuidePageName, otherPages, pageSection } from './guide-pages.ts';
import { PAGE_TEXTS, type Writing } from './writing.ts';

/** The guide for programs that read: its pages as Markdown, and where to begin (https://llmstxt.org). */

export function firstMarkdown(writing: Writing): string {
  const { texts } = writing;
  const pages = blocksMarkdown([{ kind: 'pages', pages: otherPages(writing, '.md') }], 3);
  const sections = firstSections(writing).map(sectionMarkdown).join('');
  return `# ${escaped(texts.product)}\n\n${escaped(texts.lead)}\n\n${sections}## ${escaped(texts.more)}\n\n${pages}`;
}

export function pageMarkdown(name: GuidePageName): (writing: Writing) => string {
  return (writing) => {
    const { title, body } = pageSection(name, writing);
    return `# ${escaped(title)}\n\n${blocksMarkdown(body, 2)}`;
  };
}

/** `writingOf` is asked for each language; links in it are absolute. */
export function llmsText(writingOf: (locale: Locale) => Writing): string {
  const { texts, root } = writingOf('en');
  const parts = LOCALES.toReversed().map((locale) => {
    const writing = writingOf(locale);
    const name = PAGE_TEXTS[locale];
    const pages = [
      { title: name.quickStart.title, address: `${root}docs/${locale}.md` },
      ...otherPages(writing, '.md'),
    ];
    const links = pages.map(({ title, address }) => `- [${escaped(title)}](${address})`).join('\n');
    return `## ${name.guide}${locale === 'en' ? '' : ' (Russian)'}\n\n${links}\n\n`;
  });
  return `# ${texts.product}

> ${texts.lead}

## API

- [OpenAPI 3.1](${root}openapi.json): every address, parameter and field
- [Reference](${root}docs/en/reference): the same for people, with samples in curl, JavaScript and Python

${parts.join('').trimEnd()}
`;
}
