import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4 } from 'node:net';

/**
 * Who sends a request, by address: the connection's, or what a trusted proxy says of its own connection, and so on, until
 * one is not trusted. `X-Forwarded-For` counts, and `Forwarded` (RFC 7239, section 4) where there is none.
 *
 * Both list nodes as RFC 7239, section 6 writes them: an address, in brackets for IPv6, perhaps a port, perhaps quotes.
 * `unknown`, a name that a proxy has made up, or anything else is no address: then it is the proxy that counts, for
 * whoever could choose a new name for each request would be under no limit.
 */
export function callerAddress(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  isTrusted: (address: string) => boolean,
): string {
  const { 'x-forwarded-for': listed, forwarded } = headers;
  const nodes = listed === undefined ? forwardedFor(forwarded ?? '') : String(listed).split(',');
  let caller = socket.remoteAddress ?? '';
  for (const node of nodes.toReversed()) {
    if (node.trim() === '') continue;
    const address = isTrusted(caller) ? addressOf(node) : null;
    if (address === null) break;
    caller = address;
  }
  return caller;
}

/** One parameter of an element, or none, and what ends it; with the value's colons and brackets also without quotes. */
const PARAMETER = /\s*(?:([\w!#$%&'*+.^`|~-]+)=("(?:[^"\\]|\\.)*"|[^\s;,"=]*)\s*)?([;,])/gy;

/**
 * What each element says in `for`; `unknown` where it does not say it. Nothing where the header is not well-formed: a
 * caller could have opened a quotation in which the proxy's own element disappears.
 */
function forwardedFor(header: string): string[] {
  const whole = `${header},`;
  const nodes: string[] = [];
  let node = '';
  let readTo = 0;
  for (const [text, name, value = '', end] of whole.matchAll(PARAMETER)) {
    readTo += text.length;
    if (name?.toLowerCase() === 'for') node = value || 'unknown';
    else if (name !== undefined && node === '') node = 'unknown';
    if (end !== ',') continue;
    nodes.push(node);
    node = '';
  }
  return readTo === whole.length ? nodes : [];
}

/** null where the node is no address. */
function addressOf(node: string): string | null {
  const text = node
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replaceAll(/\\(.)/g, '$1');
  // An address of IPv6 without brackets has no port: nobody could tell where it begins.
  if (isIP(text) !== 0) return text;
  const [, inner, plain = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::(?:\d{1,5}|_[\w.-]+))?$/.exec(text) ?? [];
  if (inner !== undefined) return isIP(inner) === 6 ? inner : null;
  return isIPv4(plain) ? plain : null;
}
