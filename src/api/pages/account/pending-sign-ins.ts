import { z } from 'zod';

import { sameDigest } from '../../../access/keys/key-format.ts';
import type { CookieName } from './cookies.ts';
import { visitToken } from '../shell/posted-form.ts';
import type { AccountVisit } from './account-context.ts';

/**
 * Sign-ins at a provider that a browser has begun: each in a cookie of its own that proves itself, named after its state, so
 * that two tabs do not disturb each other. begun --comes back, or ten minutes, or more than four of them--> over.
 */

/** Signing in at a provider may take so long. */
const PENDING_S = 600;
/** In one browser; another one ends the oldest. */
const MOST = 4;

const pendingSignIn = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** The one-time link of the account that is to be joined; null where none is. */
  link: z.string().nullable(),
  endsAt: z.number(),
});

type PendingSignIn = z.infer<typeof pendingSignIn>;

/** The cookies that begin another one. */
export function beginPending(visit: AccountVisit, begun: Omit<PendingSignIn, 'endsAt'>): readonly string[] {
  const { parts, cookies, request } = visit;
  const endsAt = parts.clock.now() + PENDING_S * 1000;
  const value = Buffer.from(JSON.stringify({ ...begun, endsAt })).toString('base64url');
  const older = cookies
    .names(request.headers, 'identity_')
    .toSorted((one, other) => (readCookie(visit, other)?.endsAt ?? 0) - (readCookie(visit, one)?.endsAt ?? 0))
    .slice(MOST - 1);
  return [
    ...older.map((name) => cookies.set(name, '', 0)),
    cookies.set(nameOf(begun.state), `${value}.${proofOf(visit, value)}`, PENDING_S),
  ];
}

/** What was begun with this state in this browser; null where nothing was, or too long ago. */
export function readPending(visit: AccountVisit, state: string): PendingSignIn | null {
  const read = readCookie(visit, nameOf(state));
  return read?.state === state && read.endsAt > visit.parts.clock.now() ? read : null;
}

/** The cookie that ends it. */
export function endPending({ cookies }: AccountVisit, state: string): string {
  return cookies.set(nameOf(state), '', 0);
}

function readCookie(visit: AccountVisit, name: CookieName): PendingSignIn | null {
  const sealed = visit.cookies.read(visit.request.headers, name);
  const [value = '', proof] = (sealed ?? '').split('.');
  if (proof === undefined || !sameDigest(proof, proofOf(visit, value))) return null;
  return pendingSignIn.parse(JSON.parse(Buffer.from(value, 'base64url').toString()));
}

function proofOf({ parts }: AccountVisit, value: string): string {
  return visitToken(`identity ${value}`, parts.formSecret);
}

/** Long enough that no two of a browser share it. The whole state stands in the value. */
function nameOf(state: string): CookieName {
  return `identity_${state.slice(0, 16)}`;
}
