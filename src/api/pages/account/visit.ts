import type { Request, Response } from 'express';

import type { Accounts } from '../../../access/accounts/accounts.ts';
import type { Session } from '../../../access/accounts/sessions.ts';
import type { Keys } from '../../../access/keys/keys.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { Tell } from '../../http/access-log.ts';
import type { Locale } from '../../messages/texts.ts';
import type { Assets } from '../shell/assets.ts';
import type { Frame } from '../shell/frame.ts';
import type { Html } from '../shell/html.ts';
import type { Cookies } from './cookies.ts';
import type { Home } from './forgery.ts';
import type { Oidc } from './oidc/oidc.ts';
import type { Rates } from '../../../platform/rates.ts';
import type { AccountTexts } from './texts.ts';

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
  readonly tell: Tell;
  readonly assets: Assets;
  readonly home: () => Home;
}

/** One request for an account page. */
export interface Visit {
  readonly parts: AccountParts;
  readonly request: Request;
  readonly response: Response;
  readonly locale: Locale;
  readonly frame: Frame;
  readonly texts: AccountTexts;
  readonly home: Home;
  readonly cookies: Cookies;
  /** Below `/{locale}/account`: empty, or with a slash before it. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** What attempts are counted by. */
  readonly address: string;
  /** `failures`: lines of the log about sign-ins that failed, by outcome. */
  readonly limits: { readonly signIns: Rates; readonly forms: Rates; readonly failures: Rates };
}

/** A visit of somebody who is signed in. */
export interface Holder {
  readonly session: Session;
  /** The session's, from the cookie. */
  readonly token: string;
}

export type Reply = Shown | Sent;

export interface Shown {
  readonly status: number;
  readonly view: Html;
  readonly cookies?: readonly string[];
  /** Header fields besides: names and values in turn. */
  readonly headers?: readonly string[];
}

/** Go and look there: from the root of the host on. */
export interface Sent {
  readonly goTo: string;
  readonly cookies?: readonly string[];
}
