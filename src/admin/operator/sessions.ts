import { hash } from 'node:crypto';

import { sameDigest } from '../../access/keys/format.ts';
import type { Act } from '../../operations/act-notes.ts';
import type { Preview } from '../../operations/act-preview.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { newToken } from '../../access/accounts/tokens.ts';
import { createTokenMap, type TokenMap } from './token-map.ts';

/** Operators who have said the secret: a session is open for an hour, or until it is signed out. */
export interface OperatorSessions extends Pick<TokenMap<OperatorSession>, 'find' | 'take'> {
  /** The token for the cookie; null where the secret is wrong. */
  open(secret: string): string | null;
}

export interface OperatorSession {
  /** Each form of the session carries it: another site cannot know it. */
  readonly csrf: string;
  /**
   * What was shown to this session alone to be confirmed. The token that stands for it is good for one time: a form that is
   * sent twice does nothing the second time, and what a form asks for is what was shown, whatever else it says.
   */
  readonly confirmations: TokenMap<{ readonly act: Act; readonly preview: Preview }>;
}

/** In milliseconds. */
export const SESSION_MS = 3_600_000;
const SESSIONS = { most: 20, lifeMs: SESSION_MS };
const CONFIRMATIONS = { most: 50, lifeMs: 600_000 };

export function createOperatorSessions(secret: string, clock: Pick<Clock, 'monotonic'>): OperatorSessions {
  const sessions = createTokenMap<OperatorSession>(clock, SESSIONS);
  return {
    ...sessions,
    open(said) {
      // Digests are of one length: how long the secret is, is not told either.
      if (!sameDigest(hash('sha256', said), hash('sha256', secret))) return null;
      return sessions.add({ csrf: newToken(), confirmations: createTokenMap(clock, CONFIRMATIONS) });
    },
  };
}
