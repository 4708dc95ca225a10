import type { ShownStatus } from '../../../monitor/reading/status-reader.ts';
import { type PageContext, paths } from '../shell/page-context.ts';
import { type Html, xml } from '../shell/html.ts';
import { toldIncidents } from './incident-texts.ts';

/** What others take from the status page: a feed of incidents (RFC 4287) and a badge to embed. */

export function incidentFeedView(shown: ShownStatus, context: PageContext): Html {
  const { locale, publicUrl, shell } = context;
  const texts = shell.pages.status;
  const page = `${publicUrl}/${paths.status(locale)}`;
  const told = toldIncidents(shown.body, shown.timelines(), context);
  const updated = told.map(({ changedAt }) => changedAt).toSorted((a, b) => Date.parse(b) - Date.parse(a))[0];
  return xml`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${locale}">
    <title>${shell.product}: ${sampleMarked(texts.incidents, context)}</title>
    ${context.isSample && xml`<subtitle>${shell.sample.notice}</subtitle>`}
    <id>${publicUrl}/${paths.incidents(locale)}</id>
    <link rel="self" href="${publicUrl}/${paths.incidents(locale)}" />
    <link rel="alternate" type="text/html" href="${page}" />
    <author><name>${shell.product}</name></author>
    <updated>${updated ?? new Date(0).toISOString()}</updated>
    ${told.map(
      ({ id, title, outcome, cause, startedAt, changedAt, steps }) =>
        xml`<entry>
          <title>${sampleMarked(title, context)}</title>
          <id>${page}#${id}</id>
          <link rel="alternate" type="text/html" href="${page}#${id}" />
          <published>${startedAt}</published>
          <updated>${changedAt}</updated>
          <summary>${outcome}.${cause !== null && xml` ${cause}.`}</summary>
          <content type="text">${steps.map(({ at, text }) => `${at} ${text}`).join('\n')}</content>
        </entry> `,
    )}
  </feed> `;
}

const COLOURS = { up: '#1a7f4b', degraded: '#8f5b00', down: '#b42a25', unknown: '#5b6662' } as const;
/** Of a letter of the usual fonts at this size, in pixels. */
const LETTER = 6.7;

export function badgeView({ body }: ShownStatus, context: PageContext): Html {
  // There is no room to say that a state is out of date.
  const state = body.stale ? 'unknown' : body.state;
  const { shell } = context;
  const label = sampleMarked(shell.pages.status.badge, context);
  const said = shell.states[state].toLowerCase();
  const [l = 0, r = 0] = [label, said].map((text) => Math.round(text.length * LETTER + 14));
  return xml`<svg
    xmlns="http://www.w3.org/2000/svg"
    width="${l + r}"
    height="20"
    role="img"
    aria-label="${label}: ${said}"
  >
    <title>${label}: ${said}</title>
    <rect width="${l + r}" height="20" rx="4" fill="#3a4441" />
    <path d="M${l} 0h${r - 4}a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4h${4 - r}z" fill="${COLOURS[state]}" />
    <g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
      <text x="${l / 2}" y="14">${label}</text>
      <text x="${l + r / 2}" y="14">${said}</text>
    </g>
  </svg> `;
}

/** What is read away from the page says by itself that it is about the sample. */
function sampleMarked(text: string, { isSample, shell }: PageContext): string {
  return isSample ? `${text} (${shell.sample.mark})` : text;
}
