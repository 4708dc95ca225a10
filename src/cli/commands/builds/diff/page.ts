import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { scaleLinear } from 'd3-scale';

import { chartFrame, CHART_WIDTH, TICKS } from '../../../../api/pages/parts/chart-frame.ts';
import { table, wideTable } from '../../../../api/pages/parts/table.ts';
import { html, trusted, type Html } from '../../../../api/pages/shell/html.ts';
import { counted, number } from '../../../../texts/english-amounts.ts';
import { shownColumns, type Columns } from '../../../table.ts';
import type { Dot, Summary } from '../../../../projecting/inspect/diff/summary.ts';
import type { Movement } from '../../../../projecting/inspect/diff/movements.ts';
import { comparedBy, MOVEMENT_COLUMNS, outcomesOf, shortened, tablesOf } from './report.ts';

/**
 * A comparison as one page that loads nothing. Whatever comes from outside is escaped text; besides, its policy lets no
 * script run, no style apply but this very one, and no request leave.
 */
export function pageOf(summary: Summary, dots: readonly Dot[]): string {
  const { movements, changed_fields: fields } = summary;
  const style = readFileSync(new URL('diff.css', import.meta.url), 'utf8');
  const title = `${summary.after} compared with ${summary.before}`;
  const ranked =
    movements !== null &&
    html`<h2>Score before and after</h2>
      ${scoresChart(dots, movements.by_score)}
      ${tablesOf(movements).map(({ title: heading, rows }) => section(heading, MOVEMENT_COLUMNS, rows))}`;
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
            ${ranked}
            ${section('Fields that changed most often', FIELD_COLUMNS, fields.slice(0, FIELDS_SHOWN))}
          </main>
        </body>
      </html> `,
  );
}

function policyOf(style: string): string {
  const digest = hash('sha256', style, 'base64');
  return `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'`;
}

/** A table of the terminal under its heading; nothing without rows. */
function section<Row>(title: string, columns: Columns<Row>, rows: readonly Row[]): Html | null {
  if (rows.length === 0) return null;
  const shown = shownColumns(columns, rows).map(({ heading, texts, isNumeric }) => {
    return { title: heading, isNumber: isNumeric, cell: (row: number) => texts[row] ?? '' };
  });
  return html`<h2>${title}</h2>
    ${wideTable(title, table([...rows.keys()], shown))} `;
}

const FIELD_COLUMNS: Columns<Summary['changed_fields'][number]> = { field: 'field', entries: 'entries' };
const FIELDS_SHOWN = 12;

const SCORES_HEIGHT = 480;

/** Scores before (across) and after (upwards). A dot keeps its size in pixels, however wide the drawing is. */
function scoresChart(dots: readonly Dot[], largest: readonly Movement[]): Html {
  const x = scaleLinear([0, 100], [0, CHART_WIDTH]);
  const y = scaleLinear([0, 100], [SCORES_HEIGHT, 0]);
  // A dot may stand for one entry, or for most of them: by its area alone, all others would be specks.
  const width = (entries: number) => Math.round(10 * (3.6 + 1.6 * Math.log2(entries))) / 10;
  const dot = (before: number, after: number) => `M${x(before)} ${y(after)}h0`;
  return chartFrame({
    id: 'scores',
    title: 'Score before and after',
    described:
      'Each dot stands for the entries with about the same score before (across) and after (upwards); a larger dot stands for more. Above the line they rose, below it they fell. Rings mark the largest movements, which are listed below.',
    height: SCORES_HEIGHT,
    ticks: y.ticks(TICKS).map((value) => ({ y: y(value), label: number(value) })),
    ends: ['score before: 0', '100'],
    drawing: html`<path class="still" d="M${x(0)} ${y(0)}L${x(100)} ${y(100)}" /> ${largest.map((movement) =>
        ring(movement, dot),
      )}
      ${dots.map(
        ({ before, after, entries }) =>
          html`<path class="dot" stroke-width="${width(entries)}" d="${dot(before, after)}">
            <title>${counted(entries, 'entry', 'entries')}: about ${before} before, ${after} after</title>
          </path> `,
      )}`,
  });
}

function ring(
  { id, title, score: { before, after } }: Movement,
  dot: (before: number, after: number) => string,
): Html | null {
  if (before === null || after === null) return null;
  const name = shortened(title === '' ? id : title, 40);
  return html`<path class="ring" d="${dot(before, after)}">
      <title>${name}: ${before} before, ${after} after</title>
    </path>
    <path class="hole" d="${dot(before, after)}" /> `;
}
