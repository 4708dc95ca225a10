import { html as tag, type SafeHtml } from '@remix-run/html-template';

import { visibleLines } from '../../../platform/text/sanitize.ts';

/** Markup that is safe to send. The tag escapes whatever is put into it, but other markup. */
export type Html = SafeHtml;

type Part = string | number | Html | readonly Html[];

/** A piece of a page. Lists stand one after the other; text and numbers are escaped, and what cannot be seen is shown. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return tag(strings, ...parts.map((part) => shown(part)));
}

function shown(part: Part): string | number | Html | Html[] {
  if (typeof part === 'string') return visibleText(part);
  return Array.isArray(part) ? [...(part as readonly Html[])] : (part as number | Html);
}

/** Emoji of several parts are seen whole, and names are full of them; whatever else cannot be seen is shown. */
function visibleText(text: string): string {
  return text
    .split(/(\p{RGI_Emoji})/v)
    .map((piece, index) => (index % 2 === 0 ? visibleLines(piece) : piece))
    .join('');
}

/** The same for XML, in which formatters must not move a space. */
export const xml = html;

export const NOTHING: Html = html``;

/** Markup that is ours, or that was escaped for its place already. */
export function trusted(markup: string): Html {
  return tag.raw`${markup}`;
}
