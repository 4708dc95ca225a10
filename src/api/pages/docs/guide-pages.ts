import type { Locale } from '../../messages/texts.ts';
import { paths } from '../shell/frame.ts';
import type { Block, PageLink, Section } from './blocks.ts';
import { changelog } from './sections/changelog.ts';
import { changes, languages, search } from './sections/catalog.ts';
import { errors } from './sections/errors.ts';
import { limits } from './sections/limits.ts';
import { monitor } from './sections/monitor.ts';
import { score } from './sections/score.ts';
import { authentication, client, quickStart } from './sections/start.ts';
import type { Writing } from './writing.ts';

/**
 * The pages of the guide. The first has the way to a first answer, and the errors: whatever the API refuses leads there by
 * the code. Each other page is one section.
 */

const FIRST = [quickStart, errors] as const;

const OTHERS = {
  authentication,
  limits,
  search,
  languages,
  score,
  monitor,
  changes,
  client,
  changelog,
} as const satisfies Record<string, (writing: Writing) => Section>;

export type GuidePageName = keyof typeof OTHERS;
export const GUIDE_PAGES = Object.keys(OTHERS) as readonly GuidePageName[];

export function firstSections(writing: Writing): readonly Section[] {
  return FIRST.map((write) => write(writing));
}

export function pageSection(name: GuidePageName, writing: Writing): Section {
  return OTHERS[name](writing);
}

/** Where a page is, in each language, from the root of the host on. */
export function guidePlace(name: GuidePageName | null): (locale: Locale) => string {
  return name === null ? paths.guide : (locale) => `${paths.guide(locale)}/${name}`;
}

/** Links to the pages beside the first. */
export function otherPages(writing: Writing, suffix = ''): readonly PageLink[] {
  return GUIDE_PAGES.map((name) => {
    const { id, title, body } = pageSection(name, writing);
    const address = `${writing.root}${guidePlace(name)(writing.locale)}${suffix}`;
    return {
      id,
      title,
      address,
      headings: headingsOf(body).map((one) => ({ ...one, address: `${address}#${one.id}` })),
    };
  });
}

export function headingsOf(
  blocks: readonly Block[],
): readonly { readonly id: string; readonly title: string }[] {
  return blocks.flatMap((block) => (block.kind === 'heading' ? [{ id: block.id, title: block.title }] : []));
}
