import type { IncomingMessage } from 'node:http';

import { readCookie } from '../../api/pages/shell/cookies.ts';
import type { Visit } from '../../api/pages/shell/reply.ts';
import type { Role } from '../../operations/process-role.ts';
import type { Operator } from '../../operations/operator-thread/start.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { NamedHealth } from '../probes-and-metrics.ts';
import type { OperatorSession } from './sessions.ts';
import type { Texts } from '../../texts/texts.ts';

export interface OperatorPageParts {
  readonly role: Role;
  /** What `/readyz` would say now. */
  readonly readHealth: () => Promise<readonly NamedHealth[]>;
  /** null where this process has no right to look at what the page is about. */
  readonly operator: Operator | null;
  /** null where none is set: then nothing can be changed here. */
  readonly secret: string | null;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** One request for an operator page. */
export interface OperatorVisit extends Visit<Texts['operator']> {
  /** What is looked at, below the language and with its query: the same in every language. Empty where a form was sent. */
  readonly place: string;
  readonly role: Role;
  readonly hasSecret: boolean;
  readonly session: OperatorSession | null;
}

type Sender = Pick<IncomingMessage, 'headers' | 'socket'>;

/** The cookie bears the port's name: browsers send cookies to every port of a host. */
export function cookieName({ socket }: Pick<Sender, 'socket'>): string {
  return `catalog_operator_${socket.localPort ?? 0}`;
}

/** The token of the session, as the browser sends it back. */
export function tokenOf(request: Sender): string | null {
  return readCookie(request.headers, cookieName(request));
}
