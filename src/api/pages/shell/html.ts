import { html as tag, type SafeHtml } from '@remix-run/html-template';

import { visibleLines } from '../../../platform/text/sanitize.ts';

/** Markup that is safe to send. The tag escapes whatever is put into it, but other markup. */
export type Html = SafeHtml;

/** What stands in a page: lists stand one after the other; null, undefined and false are nothing. */
export type Part = string | number | Html | null | undefined | false | readonly Part[];

/** A piece of a page. Text and numbers are escaped, and what cannot be seen is shown. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return tag(strings, ...parts.map(shown));
}

function shown(part: Part): Shown {
  if (typeof part === 'string') return visibleText(part);
  if (part === false) return null;
  return Array.isArray(part)
    ? (part as readonly Part[]).map(shown)
    : (part as number | Html | null | undefined);
}

type Shown = string | number | Html | null | undefined | Shown[];

/** Emoji of several parts are seen whole, and names are full of them; whatever else cannot be seen is shown. */
function visibleText(text: string): string {
  return text
    .split(/(\p{RGI_Emoji})/v)
    .map((piece, index) => (index % 2 === 0 ? visibleLines(piece) : piece))
    .join('');
}

/** The same for XML, in which formatters must not move a space. */
export const xml = html;

/** Markup that is ours, or that was escaped for its place already. */
export function trusted(markup: string): Html {
  return tag.raw`${markup}`;
}
