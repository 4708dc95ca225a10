/**
 * The one function between text from outside and its readers: on a terminal, in a log, on a page. What cannot be
 * seen, and could therefore steer the terminal or pass for something else, is written as JSON writes it: `\u001b`.
 *
 * That is every control character (C0, DEL, C1: U+009B begins an escape sequence as ESC [ does), every line break that is
 * not ours (U+2028, U+2029), what turns the direction of writing, lone surrogates, and all that Unicode shows as nothing
 * (zero-width spaces and joiners, byte order marks, variation selectors, fillers). An emoji of several parts comes apart:
 * two names that look alike and are not the same are worse.
 *
 * In a JSON text such characters stand inside strings alone, so a JSON text stays one, with the same value.
 */
export function visible(line: string): string {
  // Nearly every line is plain, and looking is cheaper than replacing.
  if (!/[^ -~]/.test(line)) return line;
  return line.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, escapeUnits);
}

/** Line feeds are ours there: a page of text, or a JSON text over several lines. */
export function visibleLines(text: string): string {
  // Again, nearly every text is plain.
  return /[^ -~\n]/.test(text) ? text.split('\n').map(visible).join('\n') : text;
}

function escapeUnits(character: string): string {
  let escaped = '';
  for (let index = 0; index < character.length; index += 1) {
    escaped += `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }
  return escaped;
}

/**
 * Secrets in text that people will read: whatever looks like an API key or a one-time link, cut short or not, and the
 * credentials of a URL.
 * By its look, not by where it stands: a key may come in any header, any argument, any field of an event. A text that is
 * JSON stays JSON.
 */
export function redactByLook(text: string): string {
  let redacted = text;
  // Nearly every line is free of them, and looking is cheaper than replacing.
  if (holdsKey(redacted)) redacted = redacted.replace(/cat_(?:live|link)_(?:\w|\\u[0-9a-f]{4})*/g, REDACTED);
  if (redacted.includes('@')) redacted = redacted.replace(/:\/\/[^\s/"@]+@/g, `://${REDACTED}@`);
  return redacted;
}

/** The same in a line of JSON, and there the values of fields that are named for a secret. */
export function redact(line: string): string {
  const redacted = redactByLook(line);
  return FIELD.test(redacted) ? redacted.replace(FIELDS, `$1"${REDACTED}"`) : redacted;
}

const REDACTED = '[redacted]';
const FIELD = /"(?:key|x-api-key|authorization|cookie|password|pepper)":"/;
const FIELDS = /("(?:key|x-api-key|authorization|cookie|password|pepper)":)"(?:[^"\\]|\\.)*"/g;

/** Whether a text holds what looks like an API key or a one-time link, or the beginning of one. */
export function holdsKey(text: string): boolean {
  return text.includes('cat_live_') || text.includes('cat_link_');
}
