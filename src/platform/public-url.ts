/**
 * An http or https URL in its one spelling (WHATWG URL): a host in small letters and ASCII, no port that goes without saying, no
 * slash at the end. What compares addresses letter by letter, such as a provider of identities, then always sees the same one.
 * null for anything else, also where it has a query, a fragment or a password.
 */
export function readPublicUrl(text: string): string | null {
  if (!/^https?:\/\/[^\s/?#@\\]+(?:\/[^\s?#]*)?$/i.test(text)) return null;
  const url = URL.parse(text);
  return url === null ? null : `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
