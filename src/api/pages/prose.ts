import { fill, type Locale, type Values } from '../messages/texts.ts';
import { html, type Html } from './html.ts';

/**
 * Running text, as the texts write it: `code` between backticks, [words](address) for a link, *words* that matter.
 * `{places}` are filled in after that, so a value is never taken for markup.
 */
export type Prose = (text: string, values?: Values) => Html;

export function createProse(locale: Locale, always: Values): Prose {
  return (text, values = {}) => {
    const filled = (piece: string) => fill(piece, { ...always, ...values }, locale);
    return html`${pieces(text).map((piece) => {
      switch (piece.form) {
        case 'code':
          return html`<code translate="no">${filled(piece.text)}</code>`;
        case 'link':
          return html`<a href="${filled(piece.address)}">${filled(piece.text)}</a>`;
        case 'strong':
          return html`<strong>${filled(piece.text)}</strong>`;
        case 'plain':
          return html`${filled(piece.text)}`;
      }
    })}`;
  };
}

type Piece =
  | { readonly form: 'plain' | 'code' | 'strong'; readonly text: string }
  | { readonly form: 'link'; readonly text: string; readonly address: string };

function pieces(text: string): readonly Piece[] {
  const found: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(/`([^`]+)`|\[([^\]]+)\]\(([^)]+)\)|\*([^*]+)\*/g)) {
    const [whole, code, words, address, strong] = match;
    found.push({ form: 'plain', text: text.slice(end, match.index) });
    if (code !== undefined) found.push({ form: 'code', text: code });
    else if (strong !== undefined) found.push({ form: 'strong', text: strong });
    else found.push({ form: 'link', text: words ?? '', address: address ?? '' });
    end = match.index + whole.length;
  }
  found.push({ form: 'plain', text: text.slice(end) });
  return found;
}
