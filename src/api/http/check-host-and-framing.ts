import type { IncomingMessage } from 'node:http';

import { MAX_HEADER_BYTES, MAX_HEADER_FIELDS } from './limits.ts';
import { problem, type Problem } from '../problems.ts';

/**
 * What the HTTP parser lets pass and we do not. Such a request is refused before anything else is looked at, and its
 * connection is closed. null where all is well.
 */
export function checkHostAndFraming(request: IncomingMessage): Problem | null {
  if (request.rawHeaders.length > 2 * MAX_HEADER_FIELDS) {
    return problem('long_headers', { bytes: MAX_HEADER_BYTES, fields: MAX_HEADER_FIELDS });
  }
  // The parser also lets 0.9 and 2.0 pass, and forgives other codings where a body does not matter.
  if (!SPOKEN.has(request.httpVersion) || !endsInChunks(request)) return problem('broken_request');
  const hosts = countOfHosts(request.rawHeaders);
  if (hosts > 1 || (hosts === 0 && request.httpVersion !== '1.0')) return problem('wrong_host');
  // No client sends a fragment (RFC 9112, 3.2): to leave it out would answer another question.
  if (request.url?.includes('#')) return problem('unencoded_address');
  const { expect, host = '' } = request.headers;
  if (!HOST.test(host)) return problem('wrong_host');
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') return problem('unknown_expectation');
  if (isRead(request.method) && hasBody(request)) return problem('unwanted_body');
  const upgrade = upgradeOf(request);
  return upgrade === null || upgrade === IGNORED_UPGRADE ? null : problem('unknown_upgrade');
}

/**
 * Whether nothing that follows on the connection can be a request: the bytes of a body, also of one that is offered, or of
 * another protocol that the caller believes to have begun.
 */
export function endsConnection(request: IncomingMessage): boolean {
  return hasBody(request) || request.headers.expect !== undefined || upgradeOf(request) !== null;
}

/** Java's own client asks for HTTP/2 with every request over plain HTTP, and is content with an answer in HTTP/1.1. */
const IGNORED_UPGRADE = 'h2c';

/** The protocol that the connection is to be changed to (RFC 9110, 7.8); null for none. Without `Connection`, none. */
function upgradeOf({ headers }: IncomingMessage): string | null {
  const { connection, upgrade } = headers;
  if (connection === undefined || upgrade === undefined) return null;
  const options = connection.split(',').map((option) => option.trim().toLowerCase());
  return options.includes('upgrade') ? upgrade.trim().toLowerCase() : null;
}

/** Whether a body follows the headers; its bytes are nothing that the next request could begin with. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && Number(length) !== 0);
}

const SPOKEN: ReadonlySet<string> = new Set(['1.0', '1.1']);

/** RFC 9110, 7.2: a name or an address, perhaps a port; or nothing. */
const HOST = /^(?:\[[0-9a-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/** RFC 9112, 6.3: where the last coding is not `chunked`, nobody can tell where the body ends. */
function endsInChunks({ headers }: IncomingMessage): boolean {
  const codings = headers['transfer-encoding'];
  return codings === undefined || codings.split(',').at(-1)?.trim().toLowerCase() === 'chunked';
}

function isRead(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

/** Node keeps the first of several `Host` fields and says nothing of the others. */
function countOfHosts(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}
