export interface QueryParameter {
  readonly name: string;
  readonly value: string;
}

/**
 * The query of a request target, decoded strictly: every value once, nothing nested, nothing repaired; in the order in
 * which it was sent, repetitions included. Null where a percent-encoding in the whole target is broken, or encodes what
 * is not UTF-8. `+` in the query is a space.
 */
export function parseQuery(url: string): readonly QueryParameter[] | null {
  const mark = url.indexOf('?');
  if (decode(mark === -1 ? url : url.slice(0, mark)) === null) return null;
  if (mark === -1) return NONE;
  const parameters: QueryParameter[] = [];
  for (const pair of url.slice(mark + 1).split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decodeText(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? '' : decodeText(pair.slice(equals + 1));
    if (name === null || value === null) return null;
    parameters.push({ name, value });
  }
  return parameters;
}

const NONE: readonly QueryParameter[] = [];

function decodeText(text: string): string | null {
  return decode(text.includes('+') ? text.replaceAll('+', ' ') : text);
}

/** A text of its own, also where nothing is encoded: a mere slice would keep the whole address for as long as it is kept. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch (thrown) {
    if (thrown instanceof URIError) return null;
    throw thrown;
  }
}

/** The names under which callers try to send a key in the query, where proxies and histories keep it. */
const KEY_NAMES: ReadonlySet<string> = new Set(['x-api-key', 'api_key', 'apikey', 'key', 'token']);

export function hasKeyInQuery(parameters: readonly QueryParameter[]): boolean {
  return parameters.some(({ name }) => KEY_NAMES.has(name.toLowerCase()));
}
