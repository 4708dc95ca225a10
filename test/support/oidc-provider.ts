import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Provider } from 'oidc-provider';

/** A real provider of OpenID Connect on this machine, in which everybody is who they say they are. */
export interface RunningProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Follows an authorization request as a person who signs in as this subject; the address they are sent back to. */
  signIn(url: string, subject: string): Promise<string>;
}

export async function startProvider(redirectUris: readonly string[]): Promise<RunningProvider> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [clientId, clientSecret] = ['catalog', 'a secret of tests that is long enough'];
  const client = { client_id: clientId, client_secret: clientSecret, redirect_uris: [...redirectUris] };
  const provider = new Provider(issuer, {
    clients: [client],
    pkce: { required: () => true },
    cookies: { keys: ['a key of tests'] },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  });
  const answer = provider.callback();
  server.on('request', (request, response) => void answer(request, response));
  return {
    issuer,
    clientId,
    clientSecret,
    signIn: (url, subject) => follow(url, subject, issuer),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const MOST_STEPS = 12;

async function follow(start: string, subject: string, issuer: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = start;
  let form: URLSearchParams | null = null;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form === null ? {} : { method: 'POST', body: form }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location !== null) {
      const next = new URL(location, url);
      if (next.origin !== issuer) return next.href;
      [url, form] = [next.href, null];
      continue;
    }
    const page = await response.text();
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
    if (prompt === undefined) throw new Error(`The provider shows no form: ${response.status} ${page}`);
    form = new URLSearchParams({ prompt, login: subject, password: 'any' });
  }
  throw new Error('The provider goes round in circles');
}
