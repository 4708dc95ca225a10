import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';

import type { Clock } from '../../platform/time/clock.ts';
import { errorBody, problemHeaders } from '../error-answer.ts';
import type { Locale } from '../../texts/texts.ts';
import { type Problem, PROBLEMS } from '../problems.ts';
import { commonHeaders, fields, linesOf } from './response/headers.ts';
import { untouchedRate } from './rate-without-key.ts';
import { JSON_TYPE } from './response/representation.ts';

/**
 * What is said to a request that the parser or its limits refuse: a whole response as text, for a socket on which the
 * parser has given up, with the headers and body of every error; `head` is status line and headers, to their end.
 */
export type Refusals = ReturnType<typeof createRefusals>;

/** `limit`: requests per key and day. */
export function createRefusals(publicUrl: () => string, limit: number, clock: Clock) {
  return (refused: Problem, locale: Locale) => {
    const requestId = randomUUID();
    const { status } = PROBLEMS[refused.problem];
    const body = JSON.stringify(errorBody(refused, locale, publicUrl()));
    const headers = [
      ...commonHeaders(requestId, untouchedRate(limit, clock.now())),
      ...problemHeaders(refused),
      ...fields({
        'Content-Type': JSON_TYPE,
        'Content-Language': locale,
        'Cache-Control': 'no-store',
        'Content-Length': String(Buffer.byteLength(body)),
        Date: new Date(clock.now()).toUTCString(),
        Connection: 'close',
      }),
    ];
    const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...linesOf(headers)];
    return { requestId, status, head: `${lines.join('\r\n')}\r\n\r\n`, body };
  };
}
