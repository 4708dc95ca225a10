import { html, NOTHING, type Html } from '../../../api/pages/shell/html.ts';

/** What a column shows of a row; numbers stand to the right. */
type Column<Row> =
  | { readonly text: (row: Row) => string }
  | { readonly number: (row: Row) => string | number | null | undefined };

/** A table under its heading, which scrolls by itself where it is wider than the page; nothing without rows. */
export function tableOf<Row>(
  title: string,
  rows: readonly Row[],
  columns: Readonly<Record<string, Column<Row>>>,
): Html {
  if (rows.length === 0) return NOTHING;
  const headings = Object.entries(columns).map(([name, column]) =>
    'text' in column ? html`<th scope="col">${name}</th>` : html`<th scope="col" class="number">${name}</th>`,
  );
  return html`<h2>${title}</h2>
    <div class="table" role="region" aria-label="${title}" tabindex="0">
      <table>
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
      </table>
    </div> `;
}

function cell<Row>(column: Column<Row>, row: Row): Html {
  if ('text' in column) return html`<td>${column.text(row)}</td>`;
  return html`<td class="number">${column.number(row) ?? '–'}</td>`;
}
