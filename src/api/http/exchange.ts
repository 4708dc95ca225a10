import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

import type { Deadline } from '../../stores/time-limit.ts';
import type { Locale } from '../../texts/texts.ts';
import type { Problem } from '../problems.ts';
import type { Redirect, Route } from '../route.ts';
import type { RoutedRequest } from './bare-express.ts';
import type { QuotaTake } from './check-key-and-quota.ts';
import type { Rate } from './rate-without-key.ts';
import type { Representation } from './response/representation.ts';

/** One request on its way, and what is decided for it. */
export interface Exchange {
  readonly request: RoutedRequest;
  readonly response: ServerResponse;
  /** null where no route has this path. */
  readonly route: Route | null;
  readonly requestId: string;
  readonly startedAt: number;
  readonly deadline: Deadline;
  /** Of an error; a body says its own. */
  locale: Locale;
  rate: Rate;
  keyId: string | null;
  /** What was counted for it. */
  take: QuotaTake | null;
  /** What was thrown while it was answered, one line. */
  reason: string | null;
  /** Whether the connection ends with the response. */
  closes: boolean;
}

export type Outcome = Representation | Problem | Redirect | typeof PREFLIGHT_OUTCOME;
export const PREFLIGHT_OUTCOME = { preflight: true } as const;

const REQUEST_ID = /^[A-Za-z0-9-]{8,64}$/;

/** A caller's own id is kept, so that their logs and ours can be laid side by side. */
export function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}
