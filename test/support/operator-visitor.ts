import type { Locale } from '../../src/texts/texts.ts';
import type { Act } from '../../src/operations/act-log.ts';

export const SECRET = 'a-secret-of-operators';

/** What a session is known by: its cookie, and the token of its forms. */
export interface Unlocked {
  readonly cookie: string;
  readonly csrf: string;
}

/** Somebody with a browser before the operator page at an address. */
export function operatorVisitor(url: string) {
  /** Sends a form as a browser does from a page of the site, with what is given in the place of that. */
  const send = (
    path: string,
    form: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> =>
    fetch(`${url}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: url, 'Sec-Fetch-Site': 'same-origin', ...headers },
      body: new URLSearchParams(form),
    });
  const read = async (path = '/en', cookie = ''): Promise<string> =>
    await (await fetch(`${url}${path}`, { headers: { cookie } })).text();
  /** Looks at what an act would do. */
  const look = async (act: Act, cookie: string, locale: Locale = 'en'): Promise<string> =>
    await read(`/${locale}/confirm?${new URLSearchParams({ ...act }).toString()}`, cookie);
  return {
    send,
    read,
    look,
    /** Looks at what an act would do, and gives the token of the form that does it; empty where it has none. */
    confirm: async (act: Act, cookie: string, locale?: Locale) => tokenIn(await look(act, cookie, locale)),
    /** Says the secret. */
    unlock: async (): Promise<Unlocked> => {
      const response = await send('/en/sign-in', { secret: SECRET });
      const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';');
      return { cookie, csrf: /name="csrf" value="([^"]+)"/.exec(await read('/en', cookie))?.[1] ?? '' };
    },
  };
}

export function tokenIn(page: string): string {
  return /name="confirmed" value="([^"]+)"/.exec(page)?.[1] ?? '';
}
