import { KINDS, PARTS, REASONS } from '../../../../projections/listings/document.ts';
import { FORMULA } from '../../../../projections/listings/score.ts';
import { status } from '../../../monitor/body.ts';
import type { Policy } from '../../../monitor/policy.ts';
import { MAX_LIMIT } from '../../../stores/search/port.ts';
import { SEARCH_TEXT_LENGTH } from '../../http/parameters.ts';
import { textsIn } from '../../messages/texts.ts';
import { exampleListing } from '../../routes/listing.ts';
import { MAX_PAGE } from '../../routes/search.ts';
import {
  code,
  heading,
  html,
  list,
  NOTHING,
  paragraph,
  table,
  term,
  type Html,
  type Section,
} from '../blocks.ts';
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

/** How the score comes about, on an example that the code has computed. */
export function score(writing: Writing): Section {
  const { texts, prose } = writing;
  const { score: said } = texts;
  const reasons = REASONS.map((reason) => html`${term(reason)}: ${said.reasons[reason]}`);
  return {
    id: 'score',
    title: said.title,
    body: [
      ...said.paragraphs.map((text) => paragraph(prose(text, { formula: FORMULA }))),
      breakdown(writing),
      paragraph(prose(said.missing)),
      list(reasons),
    ],
  };
}

function breakdown({ texts, locale, number }: Writing): Html {
  const { score: said } = texts;
  const { breakdown: parts, value } = exampleListing(locale).score;
  const titles = textsIn(locale).scoreParts;
  const rows = PARTS.flatMap((key) => {
    const part = parts.find((one) => one.key === key);
    if (!part) return [];
    const numbers = [number(part.value, 1), number(part.weight, 2), number(part.points, 2)];
    return [
      [
        html`${titles[key]} ${term(key)}<br /><small>${said.parts[key]}</small>`,
        ...numbers.map((text) => html`${text}`),
      ],
    ];
  });
  return table({
    label: said.example,
    head: [said.part, said.value, said.weight, said.points],
    rows,
    numeric: [1, 2, 3],
    foot: [html`${said.sum}`, NOTHING, NOTHING, html`${number(value, 1)}`],
  });
}

/** The state of the platform, and the numbers by which it is decided here. */
export function monitor(writing: Writing): Section {
  const { texts, prose, policy, number } = writing;
  const { monitor: said } = texts;
  return {
    id: 'monitor',
    title: said.title,
    body: [
      paragraph(prose(said.intro)),
      table({
        label: said.state,
        head: [said.state, said.meaning],
        rows: status.shape.state.options.map((state) => [term(state), html`${said.states[state]}`]),
      }),
      paragraph(prose(said.stale)),
      heading('policy', said.rules),
      paragraph(prose(said.rulesIntro, { interval: number(policy.interval_s) })),
      table({
        label: said.rules,
        head: [texts.table.name, said.number, said.meaning],
        rows: (Object.keys(policy) as (keyof Policy)[]).map((name) => [
          term(name),
          html`${number(policy[name])}`,
          html`${said.policy[name]}`,
        ]),
        numeric: [1],
      }),
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
