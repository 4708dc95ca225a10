import { hash } from 'node:crypto';

import { sameDigest } from '../../access/keys/format.ts';
import type { Act } from '../../operations/act-notes.ts';
import type { Preview } from '../../operations/act-preview.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { newToken } from '../../access/accounts/tokens.ts';

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

/**
 * Values that tokens stand for, in the memory of this process: a restart forgets them. Tokens are kept as digests.
 *
 *   absent --added--> kept --taken, or its time is over, or many others were added since--> absent
 */
interface TokenMap<T> {
  /** A token that was never seen before. */
  add(value: T): string;
  /** null where there is none of this token, or none any more. */
  find(token: string | null): T | null;
  /** The same, for the last time. */
  take(token: string | null): T | null;
}

/** `most`: kept at once; the oldest makes room. */
function createTokenMap<T>(
  clock: Pick<Clock, 'monotonic'>,
  { most, lifeMs }: { readonly most: number; readonly lifeMs: number },
): TokenMap<T> {
  const kept = new Map<string, { readonly value: T; readonly endsAt: number }>();
  const map: TokenMap<T> = {
    add(value) {
      const token = newToken();
      const [oldest] = kept.keys();
      if (kept.size >= most && oldest !== undefined) kept.delete(oldest);
      kept.set(nameOf(token), { value, endsAt: clock.monotonic() + lifeMs });
      return token;
    },
    find(token) {
      const found = token === null ? undefined : kept.get(nameOf(token));
      return found && clock.monotonic() < found.endsAt ? found.value : null;
    },
    take(token) {
      const value = map.find(token);
      if (token !== null) kept.delete(nameOf(token));
      return value;
    },
  };
  return map;
}

function nameOf(token: string): string {
  return hash('sha256', token, 'base64url');
}
