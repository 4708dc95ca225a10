/**
 * Secrets in text that people will read: whatever looks like an API key, cut short or not; the credentials of a URL;
 * and in JSON the values of fields that hold secrets. By its look, not by where it stands: a key may come in any header,
 * any argument, any field of an event.
 */
const SECRET =
  /cat_live_[0-9A-Za-z]*|(?<=:\/\/)[^\s/"@]+(?=@)|(?<="(?:key|x-api-key|authorization|cookie|password|pepper)":)"(?:[^"\\]|\\.)*"/gi;

const KEY = /cat_live_/i;

export function redact(text: string): string {
  return text.replace(SECRET, (found) => (found.startsWith('"') ? `"${REDACTED}"` : REDACTED));
}

const REDACTED = '[redacted]';

/** Whether a text holds what looks like an API key, or its beginning. */
export function holdsKey(text: string): boolean {
  return KEY.test(text);
}
