import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { fingerprintOf } from '../../../access/keys/format.ts';
import { createBoundedMap } from '../../../platform/bounded-map.ts';
import { entryBytes } from '../../../platform/rough-size.ts';
import { type Accepted, readAcceptEncoding } from '../accept-encoding.ts';
import { endsConnection, refuseMessage } from '../request-checks.ts';

/** All that the header fields of a request say to an answer, but for an id. */
export interface Asker {
  /** Of its key. */
  readonly fingerprint: string;
  readonly ifNoneMatch: string | undefined;
  readonly accepted: Accepted;
}

/**
 * What header fields were found to say, by the digest of their bytes: the key among them stands nowhere in memory. Most
 * clients send the same ones with every request.
 */
export interface Askers {
  known(fields: string): Asker | null;
  /** `asker` is what `askerOf` said of them. */
  remember(fields: string, asker: Asker): void;
}

/** What is noted of an asker, in rough bytes of memory. */
const ASKER_BYTES = 700;

export function createAskers(maxBytes: number): Askers {
  const askers = createBoundedMap<Asker>(maxBytes);
  return {
    known: (fields) => askers.get(digestOf(fields)) ?? null,
    remember(fields, asker) {
      askers.set(digestOf(fields), asker, ASKER_BYTES + entryBytes(asker.ifNoneMatch ?? ''));
    },
  };
}

function digestOf(fields: string): string {
  return hash('sha256', fields, 'base64url');
}

/**
 * What the fields of a request say, as Node has read them; null where they say anything that is out of the ordinary. An id
 * is for one request, so that fields with one come only once.
 */
export function askerOf(request: IncomingMessage): Asker | null {
  const { headers, httpVersion, method } = request;
  if (method !== 'GET' || httpVersion !== '1.1' || !request.complete) return null;
  if (SPECIAL.some((name) => headers[name] !== undefined)) return null;
  if (headers.connection !== undefined && headers.connection.toLowerCase() !== 'keep-alive') return null;
  if (refuseMessage(request) || endsConnection(request)) return null;
  const key = headers['x-api-key'];
  const fingerprint = typeof key === 'string' ? fingerprintOf(key) : null;
  if (fingerprint === null) return null;
  const accepted = readAcceptEncoding(headers['accept-encoding'] ?? 'identity');
  return { fingerprint, ifNoneMatch: headers['if-none-match'], accepted };
}

const SPECIAL = [
  'x-request-id',
  'expect',
  'upgrade',
  'content-length',
  'transfer-encoding',
  'te',
  'trailer',
  'proxy-connection',
] as const;
