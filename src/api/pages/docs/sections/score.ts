import { PARTS, REASONS } from '../../../../../projections/listings/document.ts';
import { FORMULA } from '../../../../../projections/listings/score.ts';
import { textsIn } from '../../../messages/texts.ts';
import { exampleListing } from '../../../routes/present-listing.ts';
import { list, paragraph, type Section, term } from '../blocks.ts';
import { html, type Html, NOTHING } from '../../shell/html.ts';
import { table } from '../table.ts';
import type { Writing } from '../writing.ts';

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
