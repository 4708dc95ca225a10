import { html, NOTHING, type Html } from '../../../api/pages/shell/html.ts';

/** What a column shows of a row; numbers stand to the right. */
type Column<Row> =
  | { readonly text: (row: Row) => string }
  | { readonly number: (row: Row) => string | number | null | undefined }
  | { readonly drawing: (row: Row) => Html };

type ColumnsOf<Row> = Readonly<Record<string, Column<Row>>>;

/** A table under its heading, which scrolls by itself where it is wider than the page; nothing without rows. */
export function tableSection<Row>(title: string, rows: readonly Row[], columns: ColumnsOf<Row>): Html {
  if (rows.length === 0) return NOTHING;
  return html`<h2>${title}</h2>
    <div class="table" role="region" aria-label="${title}" tabindex="0">${tableOf(rows, columns)}</div> `;
}

export function tableOf<Row>(rows: readonly Row[], columns: ColumnsOf<Row>): Html {
  const headings = Object.entries(columns).map(([name, column]) =>
    'number' in column
      ? html`<th scope="col" class="number">${name}</th>`
      : html`<th scope="col">${name}</th>`,
  );
  return html`<table>
    <thead>
      <tr>
        ${headings}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html` <tr>
            ${Object.values(columns).map((column) => cell(column, row))}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function cell<Row>(column: Column<Row>, row: Row): Html {
  if ('drawing' in column) return html`<td>${column.drawing(row)}</td>`;
  if ('text' in column) return html`<td>${column.text(row)}</td>`;
  return html`<td class="number">${column.number(row) ?? '–'}</td>`;
}
