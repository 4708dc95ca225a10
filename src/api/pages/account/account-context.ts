import type { Accounts } from '../../../access/accounts/sign-in.ts';
import type { Session } from '../../../access/accounts/sessions.ts';
import type { Keys } from '../../../access/keys/keys.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { AccessLog } from '../../http/access-log.ts';
import type { Assets } from '../shell/assets.ts';
import type { Visit } from '../shell/reply.ts';
import type { Cookies } from './cookies.ts';
import type { Oidc } from './oidc/code-flow.ts';
import type { RateLimiter } from '../../../platform/time/rate-limiter.ts';
import type { Texts } from '../../../texts/texts.ts';

export type Trouble = Exclude<keyof Texts['account']['trouble'], 'back'>;
export type Notice = keyof Texts['account']['done'];
export type Refused = keyof Texts['account']['refused'];

/** What the account pages are made with. */
export interface AccountParts {
  readonly accounts: Accounts;
  readonly keys: Pick<Keys, 'create' | 'list' | 'name' | 'revoke' | 'rotate' | 'usage'>;
  /** What forms are bound to a visit with: a secret for this purpose, the same for all processes that serve accounts. */
  readonly formSecret: string;
  /** The provider of identities; absent where there is none. */
  readonly oidc?: Oidc | undefined;
  /** Requests per key and UTC day. */
  readonly dailyLimit: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly record: AccessLog['record'];
  readonly assets: Assets;
  readonly home: () => Home;
}

/** The address that the pages stand at. */
export interface Home {
  readonly url: string;
  /** Whether the operator said so. Else it is a local one, under whichever name the reader calls this machine. */
  readonly isConfigured: boolean;
}

/** One request for an account page. */
export interface AccountVisit extends Visit<Texts['account']> {
  readonly parts: AccountParts;
  readonly home: Home;
  readonly cookies: Cookies;
  /** What attempts are counted by. */
  readonly address: string;
  /** `failures`: lines of the log about sign-ins that failed, by outcome. */
  readonly limits: {
    readonly signIns: RateLimiter;
    readonly forms: RateLimiter;
    readonly failures: RateLimiter;
  };
}

/** A visit of somebody who is signed in. */
export interface Holder {
  readonly session: Session;
  /** The session's, from the cookie. */
  readonly token: string;
}
