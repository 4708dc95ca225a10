import { html, type Html, type Part } from '../shell/html.ts';

/** The tables of all pages: one row of titles, and in each other row the first cell is its head. */

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => Part;
  readonly isNumber?: boolean;
  /** A moment: it may take two lines, and no more. */
  readonly isMoment?: boolean;
}

/** `foot` sums up: a cell for each column. Where `isLabelled`, each cell brings its title along. */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  foot?: readonly (string | Html)[],
  isLabelled = false,
): Html {
  const kind = (column: Column<Row>) => (column.isNumber ? 'number' : column.isMoment ? 'moment' : 'text');
  const cellIn = (column: Column<Row>, index: number, content: Part) => {
    if (index === 0) return html`<th scope="row">${content}</th> `;
    if (!isLabelled) return html`<td class="${kind(column)}">${content}</td> `;
    return html`<td class="${kind(column)}" data-label="${column.title}"><div>${content}</div></td> `;
  };
  return html`<table>
    <thead>
      <tr>
        ${columns.map((column) => html`<th scope="col" class="${kind(column)}">${column.title}</th> `)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            ${columns.map((column, index) => cellIn(column, index, column.cell(row)))}
          </tr> `,
      )}
    </tbody>
    ${
      foot !== undefined &&
      html`<tfoot>
        <tr>
          ${columns.map((column, index) => cellIn(column, index, foot[index] ?? ''))}
        </tr>
      </tfoot>`
    }
  </table>`;
}

/** A table that scrolls by itself where it is wider than its place. */
export function wideTable(label: string, content: Html): Html {
  return html`<div class="table" role="group" tabindex="0" aria-label="${label}">${content}</div> `;
}

/** The same, where it is opened first. */
export function foldedTable(summary: string, label: string, content: Html): Html {
  return html`<details>
    <summary>${summary}</summary>
    ${wideTable(label, content)}
  </details>`;
}

/** Where it has no room, its rows stand one below the other, and each cell has its title beside it. */
export function labelledTable<Row>(
  label: string,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): Html {
  return html`<div class="table labelled" role="group" tabindex="0" aria-label="${label}">
    ${table(rows, columns, undefined, true)}
  </div> `;
}
