/**
 * Cookies of the account pages: read by the server alone (`HttpOnly`), sent with links to us and not with forms of others
 * (`SameSite=Lax`: strict ones would be missing after a sign-in at a provider). Over https they are bound to this very host by
 * their names (`__Host-`, RFC 6265bis), so that no neighbour below the same domain can set one.
 */
export interface Cookies {
  /** What the browser sent under this name; null where it sent nothing that we could have set. */
  read(header: string | undefined, name: CookieName): string | null;
  /** The names of those of a kind. */
  names(header: string | undefined, kind: 'visit_' | 'identity_'): readonly CookieName[];
  /** As a field of the answer. `seconds`: how long the browser keeps it; 0 takes it away. */
  set(name: CookieName, value: string, seconds: number): string;
}

/**
 * `session`: who is signed in. `visit_`: what forms are bound to before that. `identity_`: a sign-in at a provider under way. Of
 * these two there are several where tabs are opened at once, and none may take the place of another one.
 */
export type CookieName = 'session' | `visit_${string}` | `identity_${string}`;

const VALUE = /^[\w.~-]{1,2000}$/;

export function cookiesFor(publicUrl: string): Cookies {
  const isSecure = publicUrl.startsWith('https:');
  const named = (name: CookieName) => `${isSecure ? '__Host-' : ''}catalog_${name}`;
  return {
    read(header = '', name) {
      const prefix = `${named(name)}=`;
      const sent = header
        .split(';')
        .map((part) => part.trim())
        .filter((part) => part.startsWith(prefix))
        .map((part) => part.slice(prefix.length));
      // Of two under one name nobody knows which is ours.
      const [value] = sent;
      return sent.length === 1 && value !== undefined && VALUE.test(value) ? value : null;
    },
    names: (header = '', kind) =>
      [...header.matchAll(new RegExp(`(?:^|; *)${named(kind)}([\\w-]+)=`, 'g'))].map(
        ([, id = '']) => `${kind}${id}` as const,
      ),
    set: (name, value, seconds) =>
      `${named(name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
  };
}
