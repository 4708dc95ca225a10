/** A sentence in pieces, so that a page can tell its own words from those that a program has said in English. */
export type Phrase = readonly (string | Quotation)[];

/** The words of a program or of somebody else, as they are. */
export interface Quotation {
  readonly quoted: string;
}

/** How a language writes amounts. */
export interface Amounts {
  number(value: number): string;
  plural(
    forms: { readonly one: string; readonly few: string; readonly many: string; readonly other: string },
    count: number,
  ): string;
  duration(seconds: number): string;
}

/** A text with its `{places}` filled, and what is quoted apart. A place that has no value stays as it is. */
export function fill(text: string, values: Readonly<Record<string, string | Quotation>>): Phrase {
  const parts = text.split(/(\{\w+\})/);
  return parts
    .map((part, at) => {
      const value = /^\{\w+\}$/.test(part) ? (values[part.slice(1, -1)] ?? part) : part;
      // A sentence that is quoted in another one ends with that.
      const goesOn = parts[at + 1]?.startsWith('.') === true;
      return typeof value === 'object' && goesOn ? { quoted: value.quoted.replace(/\.$/, '') } : value;
    })
    .filter((piece) => piece !== '');
}

export function inOneLine(pieces: Phrase): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : piece.quoted)).join('');
}
