import { hash } from 'node:crypto';

import { sameDigest } from '../../access/keys/key-format.ts';
import type { Act } from '../../operations/act-log.ts';
import type { Preview } from '../../operations/act-preview.ts';
import { sha256 } from '../../platform/canonical.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { newToken } from '../../access/accounts/tokens.ts';

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

export type OperatorSessions = ReturnType<typeof createOperatorSessions>;

/** Operators who have said the secret: a session is open for an hour, or until it is signed out. */
export function createOperatorSessions(secret: string, clock: Pick<Clock, 'monotonic'>) {
  const sessions = createTokenMap<OperatorSession>(clock, SESSIONS);
  return {
    find: sessions.find,
    take: sessions.take,
    /** The token for the cookie; null where the secret is wrong. */
    open(said: string): string | null {
      // Digests are of one length: how long the secret is, is not told either.
      if (!sameDigest(hash('sha256', said), hash('sha256', secret))) return null;
      return sessions.add({ csrf: newToken(), confirmations: createTokenMap(clock, CONFIRMATIONS) });
    },
  };
}

type TokenMap<T> = ReturnType<typeof createTokenMap<T>>;

/**
 * Values that tokens stand for, in the memory of this process: a restart forgets them. Tokens are kept as digests. `most`: kept
 * at once; the oldest makes room.
 */
function createTokenMap<T>(clock: Pick<Clock, 'monotonic'>, { most, lifeMs }: typeof SESSIONS) {
  const kept = new Map<string, { readonly value: T; readonly endsAt: number }>();
  /** null where there is none of this token, or none any more. */
  const find = (token: string | null): T | null => {
    const found = token === null ? undefined : kept.get(sha256(token));
    return found && clock.monotonic() < found.endsAt ? found.value : null;
  };
  return {
    find,
    /** Returns a token that was never seen before. */
    add(value: T): string {
      const token = newToken();
      const [oldest] = kept.keys();
      if (kept.size >= most && oldest !== undefined) kept.delete(oldest);
      kept.set(sha256(token), { value, endsAt: clock.monotonic() + lifeMs });
      return token;
    },
    /** As `find`, for the last time. */
    take: (token: string | null): T | null => {
      const value = find(token);
      if (token !== null) kept.delete(sha256(token));
      return value;
    },
  };
}
