import { html, NOTHING, type Html } from '../../../api/pages/shell/html.ts';
import { counted, number } from '../../../platform/amounts.ts';
import { chartLibrary, dataOf, ownFile, policyOf, scriptOf, styleOf } from './page-embedded.ts';
import { tableOf } from './page-table.ts';
import { CATEGORIES_SHOWN, type PlotData } from './plots.ts';
import { comparedBy, outcomesOf, shortened, signed } from './report.ts';
import type { Movement } from './movement.ts';
import type { Movements, Summary } from './summary.ts';

/**
 * A comparison as one page that loads nothing. Whatever comes from outside is escaped text or JSON that no browser runs;
 * besides, its policy lets only these very scripts and this very style apply, and no request leave.
 */
export function pageOf(summary: Summary, plots: PlotData): string {
  const { movements } = summary;
  const style = ownFile('diff.css');
  // Without plots there is nothing to draw.
  const scripts = movements === null ? [] : [chartLibrary(), ownFile('diff.js')];
  const title = `${summary.after} compared with ${summary.before}`;
  return String(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta http-equiv="Content-Security-Policy" content="${policyOf(style, scripts)}" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="referrer" content="no-referrer" />
          <title>${title}</title>
          ${styleOf(style)}
        </head>
        <body>
          <main>
            <h1>${title}</h1>
            <p class="lead">${outcomesOf(summary)}.</p>
            <p class="quiet">
              Compared on ${summary.compared_at.slice(0, 16).replace('T', ' at ')} UTC;
              ${comparedBy(summary)}.
            </p>
            ${movements === null ? NOTHING : rankedParts(movements, plots)}${fieldTable(summary)}
          </main>
          ${movements === null ? NOTHING : dataOf('data', drawnFrom(movements, plots))}${scripts.map(scriptOf)}
        </body>
      </html> `,
  );
}

function rankedParts({ by_score: byScore, by_rank: byRank, first }: Movements, plots: PlotData): Html {
  const both = plots.cells.reduce((sum, { entries }) => sum + entries, 0);
  const still = plots.distribution.find(({ from, to }) => from === to)?.entries ?? 0;
  const notMoved =
    still === 1 ? '1 entry did not move and is' : `${number(still)} entries did not move and are`;
  return html`${figure('scores', 'Score before and after', `Each dot stands for the entries with about the same score before (across) and after (upwards); a larger dot stands for more. Above the line they rose, below it they fell. Rings mark the largest movements, which are listed below.`)}
    ${figure('distribution', 'How far scores moved', `Of ${counted(both, 'entry', 'entries')} in both, how many moved by how many points. ${notMoved} left out.`)}
    ${figure('categories', 'Movers by category', `How many entries fell (to the left) and rose (to the right), in the ${CATEGORIES_SHOWN} categories with the most movers.`)}
    <noscript><p class="quiet">The plots need JavaScript; the tables do not.</p></noscript>
    ${movementTable('Largest movements in score', byScore)}${movementTable('Largest movements in rank', byRank)}${movementTable('The first afterwards', first)}${categoryTable(plots)}`;
}

function figure(id: string, title: string, caption: string): Html {
  return html`<figure>
    <figcaption>
      <h2>${title}</h2>
      <p>${caption}</p>
    </figcaption>
    <div class="plot"><canvas id="${id}" role="img" aria-label="${title}. ${caption}"></canvas></div>
  </figure>`;
}

function movementTable(title: string, movements: readonly Movement[]): Html {
  return tableOf(title, movements, {
    Entry: { text: ({ id, title: name }) => (name === '' ? id : `${shortened(name, TITLE_SHOWN)} (${id})`) },
    Category: { text: ({ category }) => category ?? '' },
    'Score before': { number: ({ score }) => score.before?.toFixed(1) },
    'Score after': { number: ({ score }) => score.after?.toFixed(1) },
    Moved: { number: ({ score }) => signed(score.change, 1) },
    'Rank before': { number: ({ rank }) => rank.before && number(rank.before) },
    'Rank after': { number: ({ rank }) => rank.after && number(rank.after) },
    Places: { number: ({ rank }) => signed(rank.gained, 0) },
  });
}

function categoryTable({ categories }: PlotData): Html {
  return tableOf('Movers by category', categories, {
    Category: { text: ({ category }) => category ?? NO_CATEGORY },
    Entries: { number: ({ entries }) => number(entries) },
    Rose: { number: ({ rose }) => number(rose) },
    Fell: { number: ({ fell }) => number(fell) },
    'Moved on average': { number: ({ mean }) => signed(mean, 2) },
  });
}

function fieldTable({ changed_fields: fields }: Summary): Html {
  return tableOf('Fields that changed most often', fields.slice(0, FIELDS_SHOWN), {
    Field: { text: ({ field }) => field },
    Entries: { number: ({ entries }) => number(entries) },
  });
}

/** A title may be a whole sentence; a row is to stay a row. */
const TITLE_SHOWN = 60;

const FIELDS_SHOWN = 12;
const NO_CATEGORY = 'no category';

/** What the script draws. */
function drawnFrom({ by_score: byScore }: Movements, plots: PlotData): object {
  const movers = byScore.map(({ id, title, score }) => ({
    id,
    title,
    before: score.before,
    after: score.after,
  }));
  const categories = plots.categories.map((one) => ({ ...one, category: one.category ?? NO_CATEGORY }));
  return { ...plots, categories, movers };
}
