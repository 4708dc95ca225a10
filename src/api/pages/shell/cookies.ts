import type { IncomingHttpHeaders } from 'node:http';

const VALUE = /^[\w.~-]{1,2000}$/;

/** What the browser sent under this name; null where it sent nothing that we could have set. */
export function readCookie(
  { cookie = '' }: Pick<IncomingHttpHeaders, 'cookie'>,
  name: string,
): string | null {
  const prefix = `${name}=`;
  const sent = cookie
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(prefix))
    .map((part) => part.slice(prefix.length));
  const [value] = sent;
  // Of two under one name nobody knows which is ours.
  return sent.length === 1 && value !== undefined && VALUE.test(value) ? value : null;
}

interface CookieLife {
  /** How long the browser keeps it; 0 takes it away. */
  readonly seconds: number;
  readonly sameSite: 'Lax' | 'Strict';
  /** Whether it is for https alone. */
  readonly isSecure: boolean;
}

/** A `Set-Cookie` field of a cookie that the server alone reads. */
export function cookieField(
  name: string,
  value: string,
  { seconds, sameSite, isSecure }: CookieLife,
): string {
  return `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`;
}
