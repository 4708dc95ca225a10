import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { html, NOTHING, trusted, type Html } from '../../../api/pages/shell/html.ts';
import { number } from '../../../platform/amounts.ts';
import { distributionChart, moversBar, scoresChart } from './charts.ts';
import { tableSection } from './page-table.ts';
import type { PlotData } from './plots.ts';
import { comparedBy, outcomesOf, shortened, signed } from './report.ts';
import type { Movement } from './movement.ts';
import type { Movements, Summary } from './summary.ts';

/**
 * A comparison as one page that loads nothing. Whatever comes from outside is escaped text; besides, its policy lets no
 * script run, no style apply but this very one, and no request leave.
 */
export function pageOf(summary: Summary, plots: PlotData): string {
  const { movements } = summary;
  const style = readFileSync(new URL('diff.css', import.meta.url), 'utf8');
  const title = `${summary.after} compared with ${summary.before}`;
  return String(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta http-equiv="Content-Security-Policy" content="${policyOf(style)}" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="referrer" content="no-referrer" />
          <title>${title}</title>
          ${trusted(`<style>${style}</style>`)}
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
        </body>
      </html> `,
  );
}

function policyOf(style: string): string {
  const digest = hash('sha256', style, 'base64');
  return `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'`;
}

function rankedParts({ by_score: byScore, by_rank: byRank, first }: Movements, plots: PlotData): Html {
  return html`<h2>Score before and after</h2>
    <div class="scores">${scoresChart(plots, byScore)}</div>
    <h2>How far scores moved</h2>
    ${distributionChart(plots)}
    ${categoryTable(plots)}${movementTable('Largest movements in score', byScore)}${movementTable('Largest movements in rank', byRank)}${movementTable('The first afterwards', first)}`;
}

function movementTable(title: string, movements: readonly Movement[]): Html {
  return tableSection(title, movements, {
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
  return tableSection('Movers by category', categories, {
    Category: { text: ({ category }) => category ?? NO_CATEGORY },
    'Fell | rose': { drawing: moversBar(categories) },
    Entries: { number: ({ entries }) => number(entries) },
    Fell: { number: ({ fell }) => number(fell) },
    Rose: { number: ({ rose }) => number(rose) },
    'Moved on average': { number: ({ mean }) => signed(mean, 2) },
  });
}

function fieldTable({ changed_fields: fields }: Summary): Html {
  return tableSection('Fields that changed most often', fields.slice(0, FIELDS_SHOWN), {
    Field: { text: ({ field }) => field },
    Entries: { number: ({ entries }) => number(entries) },
  });
}

/** A title may be a whole sentence; a row is to stay a row. */
const TITLE_SHOWN = 60;

const FIELDS_SHOWN = 12;
const NO_CATEGORY = 'no category';
