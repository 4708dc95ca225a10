import { html as tag, type SafeHtml } from '@remix-run/html-template';

import { visible, visibleLines } from '../../../platform/visible.ts';

/** Markup that is safe to send. The tag escapes whatever is put into it, but other markup. */
export type Html = SafeHtml;

type Part = string | number | Html | readonly Html[];

/** A piece of a page. Lists stand one after the other; text and numbers are escaped, and what cannot be seen is shown. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return tag(strings, ...parts.map((part) => shown(part)));
}

function shown(part: Part): string | number | Html | Html[] {
  if (typeof part === 'string') return visibleLines(part);
  return Array.isArray(part) ? [...(part as readonly Html[])] : (part as number | Html);
}

export const NOTHING: Html = html``;

/** Markup that is ours, or that was escaped for its place already. */
export function trusted(markup: string): Html {
  return tag.raw`${markup}`;
}

/** JSON in an element that no browser runs. In JSON a `<` stands in strings alone, and can be escaped. */
export function jsonBlock(type: string, data: object, id?: string): Html {
  const text = visible(JSON.stringify(data)).replaceAll('<', String.raw`\u003c`);
  return html`<script type="${type}" ${id === undefined ? NOTHING : html`id="${id}"`}>
    ${trusted(text)}
  </script> `;
}
