import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';

import type { Clock } from '../../platform/clock.ts';
import { commonHeaders, fields, untouchedRate } from './headers.ts';
import { DEFAULT_LOCALE, type Locale } from '../messages/texts.ts';
import { errorBody, PROBLEMS, type Problem } from '../problems.ts';
import { JSON_TYPE } from './rendering.ts';
import { problemHeaders } from './send.ts';

/** A whole response as text, for a socket on which the parser has given up: the same headers and body as any error. */
export interface Refusal {
  readonly requestId: string;
  readonly status: number;
  /** Status line and headers, to their end. */
  readonly head: string;
  readonly body: string;
}

/** In the default language where nothing of the request tells of another one. */
export type Refusals = (problem: Problem, locale?: Locale) => Refusal;

export interface RefusalOptions {
  readonly publicUrl: () => string;
  /** Requests per key and day. */
  readonly limit: number;
  readonly clock: Clock;
}

export function createRefusals({ publicUrl, limit, clock }: RefusalOptions): Refusals {
  return (problem, locale = DEFAULT_LOCALE) => {
    const requestId = randomUUID();
    const { status } = PROBLEMS[problem.problem];
    const body = JSON.stringify(errorBody(problem, locale, publicUrl()));
    const headers = [
      ...commonHeaders(requestId, untouchedRate(limit, clock.now())),
      ...problemHeaders(problem),
      ...fields({
        'Content-Type': JSON_TYPE,
        'Content-Language': locale,
        'Cache-Control': 'no-store',
        'Content-Length': String(Buffer.byteLength(body)),
        Date: new Date(clock.now()).toUTCString(),
        Connection: 'close',
      }),
    ];
    const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`];
    for (let index = 0; index < headers.length; index += 2)
      lines.push(`${headers[index]}: ${headers[index + 1]}`);
    return { requestId, status, head: `${lines.join('\r\n')}\r\n\r\n`, body };
  };
}
