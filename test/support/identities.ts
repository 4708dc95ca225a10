import type { RunningProvider } from './oidc-provider.ts';
import type { Page, Visitor } from './visitor.ts';

/** Sends the form that leads to the provider, from the page that was opened last; the address that it leads to. */
export async function leaveForProvider(one: Visitor): Promise<string> {
  const onward = await one.send('/account/identity');
  const [, url = ''] = /<a[^>]*href="([^"]+)" data-provider/.exec(onward.text) ?? [];
  return url.replaceAll('&amp;', '&');
}

/** Opens the address that the provider sends somebody back to. */
export async function comeBack(one: Visitor, address: string): Promise<Page> {
  const { pathname, search } = new URL(address);
  const answer = await one.get(`${pathname}${search}`);
  const location = answer.headers.get('location');
  return location === null ? answer : await one.get(new URL(location, address).pathname);
}

/** Signs in as a subject of the provider, from a page with a form that leads there. */
export async function signInWith(
  provider: RunningProvider,
  one: Visitor,
  subject: string,
  page = '/en/account',
): Promise<Page> {
  await one.get(page);
  return await comeBack(one, await provider.signIn(await leaveForProvider(one), subject));
}
