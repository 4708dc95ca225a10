/** Somebody with a browser that runs no scripts: it keeps cookies, sends forms as they stand, and says where they are from. */
export interface Visitor {
  readonly cookies: Map<string, string>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Page>;
  /** Sends the form whose address ends so, filled in, from the page that was opened last. Follows one redirect. */
  send(action: string, filled?: Fields): Promise<Page>;
  post(path: string, fields: Fields, headers?: Readonly<Record<string, string>>): Promise<Page>;
}

export type Fields = Readonly<Record<string, string>>;

export interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly path: string;
}

export function visitor(url: string): Visitor {
  const cookies = new Map<string, string>();
  let last: Page | null = null;

  const one: Visitor = {
    cookies,
    get: (path, headers = {}) => ask(path, { headers }),
    async post(path, fields, headers = {}) {
      const body = new URLSearchParams(fields);
      return await ask(path, { method: 'POST', body, headers: { origin: url, ...headers } });
    },
    async send(action, filled = {}) {
      const form = formsOf(last?.text ?? '').find((each) => each.action.endsWith(action));
      if (!form || !last) throw new Error(`There is no form ${action}`);
      const { pathname } = new URL(form.action, `${url}${last.path}`);
      const answer = await one.post(pathname, { ...form.fields, ...filled });
      const location = answer.headers.get('location');
      if (location === null) return answer;
      const next = new URL(location, `${url}${pathname}`);
      return await one.get(`${next.pathname}${next.search}`);
    },
  };
  return one;

  async function ask(path: string, init: RequestInit): Promise<Page> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(cookie === '' ? {} : { cookie }), ...(init.headers as Fields) };
    const response = await fetch(`${url}${path}`, { redirect: 'manual', ...init, headers });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (/Max-Age=0/.test(set)) cookies.delete(name);
      else cookies.set(name, value);
    }
    const { status, headers: answered } = response;
    const page = { status, headers: answered, text: await response.text(), path };
    if (status === 200 || status === 400) last = page;
    return page;
  }
}

/** The key that is shown on an account's page; empty where there is none. */
export function keyIn(page: string): string {
  return /data-key[^>]*>(cat_live_\w+)</.exec(page)?.[1] ?? '';
}

interface FormOnPage {
  readonly action: string;
  readonly fields: Fields;
}

export function formsOf(page: string): readonly FormOnPage[] {
  return [...page.matchAll(/<form[^>]*action="([^"]+)"[^>]*>(.*?)<\/form>/gs)].map(
    ([, action = '', inner = '']) => {
      const inputs = [...inner.matchAll(/<input([^>]*)>/g)].map(([, attributes = '']) => {
        const of = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
        return [of('name'), of('value')] as const;
      });
      const selects = [
        ...inner.matchAll(/<select[^>]*name="([^"]+)".*?<option value="([^"]+)"\s+selected/gs),
      ];
      return {
        action,
        fields: Object.fromEntries([
          ...inputs,
          ...selects.map(([, name = '', value = '']) => [name, value] as const),
        ]),
      };
    },
  );
}
