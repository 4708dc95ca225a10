import type { Listing } from '../../routes/listing-body.ts';
import type { Frame } from '../shell/frame.ts';
import { html, type Html, NOTHING } from '../shell/html.ts';
import { ENTRY_TEXTS } from './texts.ts';

/** The score part by part: a bar as long as its points could be, filled as far as they are. */
export function scoreCard(
  { value, breakdown, formula, preliminary_reasons: reasons }: Listing['score'],
  frame: Frame,
): Html {
  const { locale, format, say } = frame;
  const texts = ENTRY_TEXTS[locale];
  return html`<section class="card" aria-labelledby="score">
    <h2 id="score">${texts.score}</h2>
    <p class="quiet">${say(texts.scoreIs, { formula })}</p>
    ${
      breakdown.length === 0
        ? html`<p>${texts.noParts}</p> `
        : html`<div class="table" role="group" tabindex="0" aria-label="${texts.score}">
            <table class="parts">
              <thead>
                <tr>
                  <th scope="col">${texts.part}</th>
                  <th scope="col" class="number">${texts.value}</th>
                  <th scope="col" class="number">${texts.weight}</th>
                  <th scope="col" class="number">${texts.points}</th>
                </tr>
              </thead>
              <tbody>
                ${breakdown.map(
                  (part) =>
                    html`<tr>
                      <th scope="row">
                        ${part.title}<svg
                          class="meter"
                          viewBox="0 0 100 6"
                          preserveAspectRatio="none"
                          aria-hidden="true"
                        >
                          <rect class="meter-room" width="100" height="6" />
                          <rect class="meter-value" width="${part.value}" height="6" />
                        </svg>
                      </th>
                      <td class="number">${format.number(part.value, 1)}</td>
                      <td class="number">${format.number(part.weight, 2)}</td>
                      <td class="number">${format.number(part.points, 2)}</td>
                    </tr> `,
                )}
              </tbody>
              <tfoot>
                <tr>
                  <th scope="row">${texts.sum}</th>
                  <td></td>
                  <td></td>
                  <td class="number">${format.number(value, 1)}</td>
                </tr>
              </tfoot>
            </table>
          </div> `
    }${
      reasons.length === 0
        ? NOTHING
        : html`<h3>${texts.preliminary}</h3>
            <ul class="reasons">
              ${reasons.map((reason) => html`<li>${texts.reasons[reason]}</li> `)}
            </ul>`
    }
  </section> `;
}
