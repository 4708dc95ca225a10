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
