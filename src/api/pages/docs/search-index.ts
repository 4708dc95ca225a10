import { SHELL_TEXTS } from '../shell/texts.ts';
import { paths } from '../shell/frame.ts';
import { blocksMarkdown } from './block-markdown.ts';
import type { Block, Section } from './blocks.ts';
import { firstSections, GUIDE_PAGES, guidePlace, pageSection } from './guide-pages.ts';
import { describedApi, type Described, type Operation } from './reference/described.ts';
import { headerAnchor } from './reference/shared.ts';
import { shapeOf } from './reference/schema.ts';
import type { Writing } from './writing.ts';

/** A place that the search of the developer pages finds. */
export interface Place {
  readonly title: string;
  /** What it is a part of. */
  readonly within: string;
  /** From the root of the host on. */
  readonly href: string;
  /** More words to find it by. */
  readonly text: string;
}

export function searchIndex(writing: Writing): readonly Place[] {
  const { locale, publicUrl, texts } = writing;
  const { guide, reference } = SHELL_TEXTS[locale];
  const described = describedApi({ locale, publicUrl });
  const at = paths.reference(locale);
  const first = firstSections(writing).flatMap((one) =>
    sectionPlaces(one, `${paths.guide(locale)}#${one.id}`, paths.guide(locale), guide),
  );
  const others = GUIDE_PAGES.flatMap((name) => {
    const address = guidePlace(name)(locale);
    return sectionPlaces(pageSection(name, writing), address, address, guide);
  });
  const headers = [...described.headers].map(([name, { description }]) => ({
    title: name,
    within: `${reference} · ${texts.referencePage.headersTitle}`,
    href: `${at}#${headerAnchor(name)}`,
    text: description,
  }));
  return [
    ...described.operations.map((one) => operationPlace(one, described, at, reference)),
    ...first,
    ...others,
    ...headers,
  ];
}

/** The section, and each part of it under a heading of its own. */
function sectionPlaces(
  { title, body }: Section,
  href: string,
  page: string,
  guide: string,
): readonly Place[] {
  const own: Block[] = [];
  const parts: { readonly id: string; readonly title: string; readonly body: Block[] }[] = [];
  for (const block of body) {
    if (block.kind === 'heading') parts.push({ id: block.id, title: block.title, body: [] });
    else if (block.kind === 'error') parts.push({ id: block.code, title: block.code, body: [...block.body] });
    else (parts.at(-1)?.body ?? own).push(block);
  }
  return [
    { title, within: guide, href, text: words(own) },
    ...parts.map((one) => ({
      title: one.title,
      within: `${guide} · ${title}`,
      href: `${page}#${one.id}`,
      text: words(one.body),
    })),
  ];
}

function words(blocks: readonly Block[]): string {
  const texts = blocks.filter(({ kind }) => kind !== 'code');
  return blocksMarkdown(texts, 3)
    .replaceAll(/[\\`*|\s-]+/g, ' ')
    .trim();
}

function operationPlace(
  { id, path, summary, description, parameters, answers }: Operation,
  { schemas }: Described,
  at: string,
  within: string,
): Place {
  const named = parameters.filter((one) => one.in !== 'header').map(({ name }) => name);
  const body = answers.get('200')?.schema;
  const fields = body === undefined ? [] : shapeOf(body, schemas).fields.map(({ name }) => name);
  return {
    title: path,
    within: `${within} · ${summary}`,
    href: `${at}#${id}`,
    text: [id, description, ...named, ...fields].join(' '),
  };
}
