import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

import type { Clock } from '../../platform/clock.ts';
import { createConfirmations, type Confirmations } from './confirmations.ts';

/**
 * Operators who have said the secret, in the memory of this process: a restart forgets them. Tokens are kept as digests.
 *
 *   absent --the secret was right--> open --an hour, or signed out--> absent
 */
export interface OperatorSessions {
  /** The token for the cookie; null where the secret is wrong. */
  open(secret: string): string | null;
  find(token: string | null): OperatorSession | null;
  close(token: string | null): void;
}

export interface OperatorSession {
  /** Each form of the session carries it: another site cannot know it. */
  readonly csrf: string;
  /** What was shown to this session alone to be confirmed. */
  readonly confirmations: Confirmations;
}

/** In milliseconds. */
export const SESSION_MS = 3_600_000;
/** Open at once; the oldest is forgotten for a new one. */
const SESSIONS = 20;

export function createOperatorSessions(secret: string, clock: Pick<Clock, 'monotonic'>): OperatorSessions {
  const sessions = new Map<string, OperatorSession & { readonly endsAt: number }>();
  return {
    open(said) {
      if (!isSame(said, secret)) return null;
      const token = freshToken();
      const [oldest] = sessions.keys();
      if (sessions.size >= SESSIONS && oldest !== undefined) sessions.delete(oldest);
      sessions.set(nameOf(token), {
        csrf: freshToken(),
        confirmations: createConfirmations(clock),
        endsAt: clock.monotonic() + SESSION_MS,
      });
      return token;
    },
    find(token) {
      const found = token === null ? undefined : sessions.get(nameOf(token));
      return found && clock.monotonic() < found.endsAt ? found : null;
    },
    close(token) {
      if (token !== null) sessions.delete(nameOf(token));
    },
  };
}

function freshToken(): string {
  return randomBytes(32).toString('base64url');
}

/** In a time that tells nothing of either. */
export function isSame(said: string, secret: string): boolean {
  return timingSafeEqual(digest(said), digest(secret));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function nameOf(token: string): string {
  return digest(token).toString('base64');
}
