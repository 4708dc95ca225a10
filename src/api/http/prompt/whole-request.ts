/** What the bytes of a request are made of, taken apart and not looked into. */
export interface WholeRequest {
  readonly target: string;
  /** All that follows the request line: header fields and the empty line. */
  readonly fields: string;
}

const START = 'GET ';
const LINE_END = ' HTTP/1.1\r\n';
/** Longer ones are for the parser, which has a bound for the whole head. */
const LONGEST = 4096;

/** Takes apart what looks like one GET. Whether it is one, in form and alone, is not known by that. */
export function takeApart(chunk: Buffer): WholeRequest | null {
  if (chunk.length > LONGEST) return null;
  const text = chunk.toString('latin1');
  if (!text.startsWith(START)) return null;
  const end = text.indexOf(' ', START.length);
  if (end === -1 || !text.startsWith(LINE_END, end)) return null;
  return { target: text.slice(START.length, end), fields: text.slice(end + LINE_END.length) };
}

/**
 * Fields as nearly every client writes them, with one empty line, at the very end. Stricter than the parser is: where this
 * holds, the parser can end the head nowhere else.
 */
const PLAIN_FIELDS = /^(?:[A-Za-z0-9_-]+:[\t -~]*\r\n)+\r\n$/;
const PLAIN_TARGET = /^[!-~]+$/;

/** Whether these are the bytes of one request without a body's, and of nothing else. */
export function isAlone({ target, fields }: WholeRequest): boolean {
  return PLAIN_TARGET.test(target) && PLAIN_FIELDS.test(fields);
}
