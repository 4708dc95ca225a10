import { html, type Html } from '../shell/html.ts';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string | Html;
  readonly isNumber?: boolean;
  /** A moment: it may take two lines, and no more. */
  readonly isMoment?: boolean;
}

/** Where it has no room, its rows stand one below the other, and each cell has its title beside it. Of a row, the first cell is its head. */
export function labelledTable<Row>(
  label: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): Html {
  const kind = (column: Column<Row>) => (column.isNumber ? 'number' : column.isMoment ? 'moment' : 'text');
  return html`<div class="table labelled" role="group" tabindex="0" aria-label="${label}">
    <table>
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col" class="${kind(column)}">${column.title}</th> `)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${columns.map((column, index) =>
                index === 0
                  ? html`<th scope="row">${column.cell(row)}</th> `
                  : html`<td class="${kind(column)}" data-label="${column.title}">
                      <div>${column.cell(row)}</div>
                    </td> `,
              )}
            </tr> `,
        )}
      </tbody>
    </table>
  </div> `;
}
