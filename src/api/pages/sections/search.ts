import { KINDS } from '../../../../projections/listings/document.ts';
import { MAX_LIMIT } from '../../../stores/search/port.ts';
import { SEARCH_TEXT_LENGTH } from '../../http/parameters.ts';
import { MAX_PAGE } from '../../paging.ts';
import { code, paragraph, type Section } from '../blocks.ts';
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
