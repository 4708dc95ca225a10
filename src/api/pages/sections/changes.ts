import { heading, list, paragraph, type Section } from '../blocks.ts';
import type { Writing } from '../writing.ts';

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
