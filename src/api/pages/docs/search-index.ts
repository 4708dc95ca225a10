import { SHELL_TEXTS } from '../shell/texts.ts';
import { paths } from '../shell/frame.ts';
import { describedApi, type Operation } from './reference/described.ts';
import { headerAnchor } from './reference/shared.ts';
import { guideSections } from './guide.ts';
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
  return [
    ...described.operations.flatMap((one) => operationPlaces(one, at, reference)),
    ...guideSections(writing).map(({ id, title }) => ({
      title,
      within: guide,
      href: `${paths.guide(locale)}#${id}`,
      text: '',
    })),
    ...[...described.headers].map(([name, { description }]) => ({
      title: name,
      within: `${reference} · ${texts.referencePage.headersTitle}`,
      href: `${at}#${headerAnchor(name)}`,
      text: description,
    })),
  ];
}

function operationPlaces(
  { id, path, summary, description, parameters }: Operation,
  at: string,
  within: string,
): readonly Place[] {
  const named = parameters.filter((one) => one.in !== 'header').map(({ name }) => name);
  return [
    {
      title: path,
      within: `${within} · ${summary}`,
      href: `${at}#${id}`,
      text: [id, description, ...named].join(' '),
    },
  ];
}
