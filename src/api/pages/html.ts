import { visibleLines } from '../../platform/visible.ts';

/** Markup that is safe to send. Only `html` makes it, and it escapes whatever else is put into it. */
export interface Html {
  readonly markup: string;
}

type Part = string | number | Html | readonly Html[];

/** A piece of a page. Lists stand one after the other; text and numbers are escaped. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const pieces = strings.map(
    (text, index) => text + (index < parts.length ? markupOf(parts[index] ?? '') : ''),
  );
  return { markup: pieces.join('') };
}

export const NOTHING: Html = { markup: '' };

function markupOf(part: Part): string {
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Fit for text and for quoted attributes; lines are ours, and what cannot be seen is shown. */
function escaped(text: string): string {
  return visibleLines(text).replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);
}
