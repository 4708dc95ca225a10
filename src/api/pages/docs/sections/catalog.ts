import { KINDS } from '../../../../../projections/listings/document.ts';
import { MAX_LIMIT } from '../../../../stores/search/port.ts';
import { SEARCH_TEXT_LENGTH } from '../../../http/parameters.ts';
import { DEFAULT_LOCALE, LOCALES } from '../../../messages/texts.ts';
import { MAX_PAGE } from '../../../routes/search-body.ts';
import { code, heading, list, paragraph, type Section } from '../blocks.ts';
import { allPages } from '../snippets.ts';
import type { Writing } from '../writing.ts';

/** What is found, in which order, and how to get all of it. */
export function search(writing: Writing): Section {
  const { texts, prose, number } = writing;
  const { search: said } = texts;
  const values = {
    searchLength: number(SEARCH_TEXT_LENGTH),
    kinds: KINDS.join(', '),
    maxPage: number(MAX_PAGE),
    maxLimit: number(MAX_LIMIT),
    places: number(MAX_PAGE * MAX_LIMIT),
  };
  return {
    id: 'search',
    title: said.title,
    body: [
      ...said.paragraphs.map((text) => paragraph(prose(text, values))),
      paragraph(prose(said.links)),
      code({ ...allPages(writing), caption: said.all }),
      paragraph(prose(said.fresh)),
    ],
  };
}

/** Between the announcement that something goes, and its end. */
const NOTICE_MONTHS = 6;

/** What a program may rely on. */
export function changes({ texts, prose, number }: Writing): Section {
  const { changes: said } = texts;
  return {
    id: 'changes',
    title: said.title,
    body: [
      paragraph(prose(said.intro)),
      heading('may-change', said.may),
      list(said.mayList.map((text) => prose(text))),
      heading('may-not-change', said.mayNot),
      list(said.mayNotList.map((text) => prose(text))),
      paragraph(prose(said.notice, { months: number(NOTICE_MONTHS) })),
    ],
  };
}

/** Which language a text is in. */
export function languages({ texts, prose }: Writing): Section {
  const { languageSection: said } = texts;
  const values = { locales: LOCALES.join(', '), defaultLocale: DEFAULT_LOCALE };
  return {
    id: 'languages',
    title: said.title,
    body: said.paragraphs.map((text) => paragraph(prose(text, values))),
  };
}
