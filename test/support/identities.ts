import type { RunningProvider } from './oidc-provider.ts';
import type { Page, Visitor } from './visitor.ts';

/** Sends the form that leads to the provider, from this page, or from the one that was opened last; the address that it leads to. */
export async function leaveForProvider(one: Visitor, page: string | null = '/en/account'): Promise<string> {
  if (page !== null) await one.get(page);
  const onward = await one.send('/account/identity');
  const [, url = ''] = /<a[^>]*href="([^"]+)" data-provider/.exec(onward.text) ?? [];
  return url.replaceAll('&amp;', '&');
}

/** Opens the address that the provider sends somebody back to. */
export async function comeBack(one: Visitor, address: string): Promise<Page> {
  const { pathname, search } = new URL(address);
  const answer = await one.get(`${pathname}${search}`);
  const location = answer.headers.get('location');
  if (location === null) return answer;
  const next = new URL(location, address);
  return await one.get(`${next.pathname}${next.search}`);
}

/** The cookie of the one sign-in that is under way: its name and its value. */
export function pendingOf(one: Visitor): readonly [string, string] {
  const pending = [...one.cookies].find(([name]) => name.startsWith('catalog_identity_'));
  if (!pending) throw new Error('No sign-in is under way');
  return pending;
}

/** Signs in as a subject of the provider, from a page with a form that leads there. */
export async function signInWith(
  provider: RunningProvider,
  one: Visitor,
  subject: string,
  page?: string,
): Promise<Page> {
  return await comeBack(one, await provider.signIn(await leaveForProvider(one, page), subject));
}
