import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

import type { Clock } from '../../platform/clock.ts';

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
}

/** In milliseconds. */
export const SESSION_MS = 3_600_000;
/** Open at once; the oldest is forgotten for a new one. */
const SESSIONS = 20;

export function createOperatorSessions(secret: string, clock: Pick<Clock, 'monotonic'>): OperatorSessions {
  const sessions = new Map<string, OperatorSession & { readonly endsAt: number }>();
  return {
    open(said) {
      if (!timingSafeEqual(digest(said), digest(secret))) return null;
      const token = randomBytes(32).toString('base64url');
      const csrf = randomBytes(32).toString('base64url');
      const [oldest] = sessions.keys();
      if (sessions.size >= SESSIONS && oldest !== undefined) sessions.delete(oldest);
      sessions.set(nameOf(token), { csrf, endsAt: clock.monotonic() + SESSION_MS });
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

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function nameOf(token: string): string {
  return digest(token).toString('base64');
}
