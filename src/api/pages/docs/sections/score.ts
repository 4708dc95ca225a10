import { PARTS, REASONS } from '../../../../../projections/listings/document.ts';
import { FORMULA } from '../../../../../projections/listings/score.ts';
import { textsIn } from '../../../messages/texts.ts';
import { exampleListing } from '../../../routes/present-listing.ts';
import { list, paragraph, type Section, term, table, type Block, type Text } from '../blocks.ts';
import type { Writing } from '../writing.ts';

/** How the score comes about, on an example that the code has computed. */
export function score(writing: Writing): Section {
  const { texts, prose } = writing;
  const { score: said } = texts;
  const reasons = REASONS.map((reason) => [term(reason), `: ${said.reasons[reason]}`]);
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

const BREAK = { kind: 'break' } as const;

function breakdown({ texts, locale, number }: Writing): Block {
  const { score: said } = texts;
  const { breakdown: parts, value } = exampleListing(locale).score;
  const titles = textsIn(locale).scoreParts;
  const rows = PARTS.flatMap((key) => {
    const part = parts.find((one) => one.key === key);
    if (!part) return [];
    const numbers = [number(part.value, 1), number(part.weight, 2), number(part.points, 2)];
    return [
      [
        [`${titles[key]} `, term(key), BREAK, { kind: 'small', text: said.parts[key] }] satisfies Text,
        ...numbers.map((text) => [text]),
      ],
    ];
  });
  return table({
    label: said.example,
    head: [said.part, said.value, said.weight, said.points],
    rows,
    numeric: [1, 2, 3],
    foot: [[said.sum], [], [], [number(value, 1)]],
  });
}
