import type { Listing } from '../../routes/listing-schema.ts';
import { meter } from '../parts/facts.ts';
import { table, wideTable } from '../parts/table.ts';
import type { PageContext } from '../shell/page-context.ts';
import { html, type Html } from '../shell/html.ts';

/** The score part by part: a bar as long as its points could be, filled as far as they are. */
export function scoreCard(
  { value, breakdown, formula, preliminary_reasons: reasons }: Listing['score'],
  context: PageContext,
): Html {
  const { say, shell } = context;
  const texts = shell.pages.entry;
  return html`<section class="card" aria-labelledby="score">
    <h2 id="score">${texts.score}</h2>
    <p class="quiet">${say(texts.scoreIs, { formula })}</p>
    ${
      breakdown.length === 0
        ? html`<p>${texts.noParts}</p> `
        : wideTable(texts.score, parts(breakdown, value, context))
    }${
      reasons.length > 0 &&
      html`<h3>${texts.preliminary}</h3>
        <ul class="reasons">
          ${reasons.map((reason) => html`<li>${texts.reasons[reason]}</li> `)}
        </ul>`
    }
  </section> `;
}

function parts(breakdown: Listing['score']['breakdown'], sum: number, { format, shell }: PageContext): Html {
  const texts = shell.pages.entry;
  return table(
    breakdown,
    [
      { title: texts.part, cell: ({ title, value }) => html`${title}${meter(value)}` },
      { title: texts.value, isNumber: true, cell: ({ value }) => format.number(value, 1) },
      { title: texts.weight, isNumber: true, cell: ({ weight }) => format.number(weight, 2) },
      { title: texts.points, isNumber: true, cell: ({ points }) => format.number(points, 2) },
    ],
    [texts.sum, '', '', format.number(sum, 1)],
  );
}
