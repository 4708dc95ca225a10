import { type Html, html, NOTHING } from '../shell/html.ts';

export interface TableHtml {
  /** What it is about, for those who do not see it. */
  readonly label: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly Html[])[];
  /** Columns of numbers, by index. */
  readonly numeric?: readonly number[];
  readonly foot?: readonly Html[];
}

/**
 * The first cell of a row names the row. Where there is no room, a table of numbers scrolls by itself; of one that says more
 * in words than one column does, the rows stand one below the other, and each cell has its title beside it.
 */
export function tableHtml({ label, head, rows, numeric = [], foot }: TableHtml): Html {
  const kind = (index: number) => (numeric.includes(index) ? html` class="number"` : NOTHING);
  const isLabelled = head.length > 2 && numeric.length < head.length - 1;
  const row = (cells: readonly Html[]) =>
    html`<tr>
      ${cells.map((cell, index) =>
        index === 0
          ? html`<th scope="row" ${kind(index)}>${cell}</th>`
          : isLabelled
            ? html`<td${kind(index)} data-label="${head[index] ?? ''}"><div>${cell}</div></td>`
            : html`<td${kind(index)}>${cell}</td>`,
      )}
    </tr> `;
  return html`<div
    class="table ${isLabelled ? 'labelled' : ''}"
    role="region"
    aria-label="${label}"
    tabindex="0"
  >
    <table>
      <thead>
        <tr>
          ${head.map((title, index) => html`<th scope="col" ${kind(index)}>${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(row)}
      </tbody>
      ${
        foot
          ? html`<tfoot>
              ${row(foot)}
            </tfoot>`
          : NOTHING
      }
    </table>
  </div> `;
}
