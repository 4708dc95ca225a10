import type { IncomingHttpHeaders } from 'node:http';

import { cookieField, readCookie } from '../shell/cookies.ts';

/**
 * `session`: who is signed in. `visit_`: what forms are bound to before that. `identity_`: a sign-in at a provider under way. Of
 * these two there are several where tabs are opened at once, and none may take the place of another one.
 */
export type CookieName = 'session' | `visit_${string}` | `identity_${string}`;

type CookieHeader = Pick<IncomingHttpHeaders, 'cookie'>;

export type Cookies = ReturnType<typeof cookiesFor>;

/**
 * Cookies of the account pages: sent with links to us and not with forms of others (`SameSite=Lax`: strict ones would be missing
 * after a sign-in at a provider). Over https they are bound to this very host by their names (`__Host-`, RFC 6265bis), so that
 * no neighbour below the same domain can set one.
 */
export function cookiesFor(publicUrl: string) {
  const isSecure = publicUrl.startsWith('https:');
  const named = (name: CookieName) => `${isSecure ? '__Host-' : ''}catalog_${name}`;
  return {
    /** What the browser sent under this name; null where it sent nothing that we could have set. */
    read: (headers: CookieHeader, name: CookieName) => readCookie(headers, named(name)),
    /** The names of those of a kind. */
    names: ({ cookie = '' }: CookieHeader, kind: 'visit_' | 'identity_'): readonly CookieName[] =>
      [...cookie.matchAll(new RegExp(`(?:^|; *)${named(kind)}([\\w-]+)=`, 'g'))].map(
        ([, id = '']) => `${kind}${id}` as const,
      ),
    /** As a field of the answer. `seconds`: how long the browser keeps it; 0 takes it away. */
    set: (name: CookieName, value: string, seconds: number) =>
      cookieField(named(name), value, { seconds, sameSite: 'Lax', isSecure }),
  };
}
