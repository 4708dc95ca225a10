import { TEXTS } from '../../../texts/texts.ts';
import { paths } from '../shell/page-context.ts';
import { bodyOf, describeApi, type ApiDescription, type Operation } from './reference/api-description.ts';
import { headerAnchor } from './reference/headers-and-errors.ts';
import { shapeOf } from './reference/schema-shape.ts';
import {
  markdownOf,
  type Part,
  type Section,
  firstSections,
  GUIDE_PAGES,
  guidePlace,
  sectionOf,
} from './guide-sections.ts';
import type { DocsContext } from './docs-context.ts';

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

export function searchIndex(context: DocsContext): readonly Place[] {
  const { locale, publicUrl, texts } = context;
  const { guide, reference } = TEXTS[locale].shell;
  const described = describeApi({ locale, publicUrl });
  const at = paths.reference(locale);
  const first = firstSections(context).flatMap((one) =>
    sectionPlaces(one, `${paths.guide(locale)}#${one.id}`, paths.guide(locale), guide),
  );
  const others = GUIDE_PAGES.flatMap((name) => {
    const address = guidePlace(name)(locale);
    return sectionPlaces(sectionOf(name, context), address, address, guide);
  });
  const headers = Object.entries(described.headers).map(([name, { description }]) => ({
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
  { title, body, parts }: Section,
  href: string,
  page: string,
  guide: string,
): readonly Place[] {
  return [
    { title, within: guide, href, text: words(body) },
    ...parts.map((part) => ({
      title: part.title,
      within: `${guide} · ${title}`,
      href: `${page}#${part.id}`,
      text: words(part.body),
    })),
  ];
}

function words(blocks: Part['body']): string {
  return markdownOf(blocks.filter(({ type }) => type !== 'code'))
    .replaceAll(/[\\`*|\s-]+/g, ' ')
    .trim();
}

function operationPlace(
  { operationId: id, path, summary, description, parameters, answers }: Operation,
  { schemas }: ApiDescription,
  at: string,
  within: string,
): Place {
  const named = parameters.filter((one) => one.in !== 'header').map(({ name }) => name);
  const answer = answers.get('200');
  const body = answer && bodyOf(answer)?.schema;
  const fields = body === undefined ? [] : shapeOf(body, schemas).fields.map(({ name }) => name);
  return {
    title: path,
    within: `${within} · ${summary}`,
    href: `${at}#${id}`,
    text: [id, description, ...named, ...fields].join(' '),
  };
}
