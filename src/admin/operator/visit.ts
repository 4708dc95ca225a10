import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import type { Locale } from '../../api/messages/texts.ts';
import type { Frame } from '../../api/pages/shell/frame.ts';
import type { Html } from '../../api/pages/shell/html.ts';
import type { Operator } from '../../operating/thread/start.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Health } from '../app.ts';
import type { OperatorSession } from './sessions.ts';
import type { OperatorTexts } from './texts.ts';

/** What kind of process the page stands in: it decides what can be seen and done there. */
export type Standing = 'projects' | 'serves' | 'accounts';

export interface OperatorPartsGiven {
  readonly standing: Standing;
  /** What `/readyz` would say now. */
  readonly judged: () => Promise<readonly (Health & { readonly name: string })[]>;
  /** null where this process has no right to look at what the page is about. */
  readonly operator: Operator | null;
  /** null where none is set: then nothing can be changed here. */
  readonly secret: string | null;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** One page that is asked for. */
export interface Visit {
  readonly locale: Locale;
  /** What is looked at, below the language and with its query: the same in every language. Empty where a form was sent. */
  readonly place: string;
  readonly frame: Frame;
  readonly texts: OperatorTexts;
  readonly standing: Standing;
  readonly hasSecret: boolean;
  readonly session: OperatorSession | null;
}

export interface Shown {
  readonly status: number;
  readonly view: Html;
  /** Header fields besides: names and values in turn. */
  readonly headers?: readonly string[];
}

/** The cookie bears the port's name: browsers send cookies to every port of a host. */
export function cookieName(port: number | undefined): string {
  return `catalog_operator_${port ?? 0}`;
}

/** The token of the session, as the browser sends it back. */
export function tokenOf(request: Pick<IncomingMessage, 'headers' | 'socket'>): string | null {
  return tokenIn(request.headers, cookieName(request.socket.localPort));
}

function tokenIn({ cookie = '' }: IncomingHttpHeaders, name: string): string | null {
  const sent = cookie
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`));
  const [, token = null] = /=([\w-]{43})$/.exec(sent[0] ?? '') ?? [];
  // Of two under one name nobody knows which is ours.
  return sent.length === 1 ? token : null;
}

/**
 * Whether the browser says that the form was sent from a page of this very address. Which names this port answers to was
 * decided before; every browser sends `Origin` with a form.
 */
export function comesFromHere({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin === undefined || host === undefined || !URL.canParse(origin)) return false;
  return new URL(origin).host === host.toLowerCase();
}
