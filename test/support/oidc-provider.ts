import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';

import { Provider, type ClientAuthMethod, type JWK } from 'oidc-provider';

import { listenOnLoopback } from './loopback.ts';

/** A real provider of OpenID Connect on this machine, in which everybody is who they say they are. */
export interface RunningProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly clientId: string;
  /** null for a public client. */
  readonly clientSecret: string | null;
  /** The variables that lead a catalog here. */
  readonly environment: Readonly<Record<string, string>>;
  /** Follows an authorization request as a person who signs in as this subject; the address they are sent back to. */
  signIn(url: string, subject: string): Promise<string>;
}

/** How a provider is set up, and the client at it. */
export interface ProviderKind {
  /** Of the issuer, below its host. */
  readonly path?: string;
  /** What the metadata says that the token endpoint takes; null for nothing. */
  readonly methods?: readonly ClientAuthMethod[] | null;
  /** The one that this client is registered with: every other is refused. */
  readonly registered?: 'client_secret_basic' | 'client_secret_post' | 'none';
  readonly alg?: 'RS256' | 'ES256';
}

const SECRET = 'a secret of tests that is long enough';

export async function startProvider(
  redirectUris: readonly string[],
  { path = '', methods, registered = 'client_secret_basic', alg = 'RS256' }: ProviderKind = {},
): Promise<RunningProvider> {
  const server = createServer();
  const listening = await listenOnLoopback(server);
  const origin = `http://127.0.0.1:${listening.port}`;
  const issuer = `${origin}${path}`;
  const clientId = 'catalog';
  const clientSecret = registered === 'none' ? null : SECRET;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        ...(clientSecret === null ? {} : { client_secret: clientSecret }),
        redirect_uris: [...redirectUris],
        token_endpoint_auth_method: registered,
        id_token_signed_response_alg: alg,
      },
    ],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    jwks: { keys: [KEYS[alg]] },
    pkce: { required: () => true },
    cookies: { keys: ['a key of tests'] },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  });
  provider.use(async (context, next) => {
    await next();
    if (methods !== undefined && context.path.endsWith('/.well-known/openid-configuration'))
      Object.assign(context.body as object, { token_endpoint_auth_methods_supported: methods ?? undefined });
  });
  const answer = provider.callback();
  server.on('request', (request: IncomingMessage & { originalUrl?: string }, response) => {
    const { url = '' } = request;
    const isBasic = request.headers.authorization !== undefined;
    // The package takes the secret either way, which other providers do not.
    if (url === `${path}/token` && isBasic !== (registered === 'client_secret_basic')) {
      const body = JSON.stringify({ error: 'invalid_client' });
      response.writeHead(401, { 'Content-Type': 'application/json' }).end(body);
      return;
    }
    // What is below a path is mounted there.
    request.originalUrl = url;
    request.url = url.startsWith(path) ? url.slice(path.length) : url;
    void answer(request, response);
  });
  return {
    issuer,
    clientId,
    clientSecret,
    environment: {
      CATALOG_OIDC_ISSUER: issuer,
      CATALOG_OIDC_CLIENT_ID: clientId,
      ...(clientSecret === null ? {} : { CATALOG_OIDC_CLIENT_SECRET: clientSecret }),
    },
    signIn: (url, subject) => follow(url, subject, origin),
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };
}

const KEYS = {
  RS256: keyOf(generateKeyPairSync('rsa', { modulusLength: 2048 }), 'RS256'),
  ES256: keyOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }), 'ES256'),
};

function keyOf({ privateKey }: { readonly privateKey: KeyObject }, alg: string) {
  return { ...privateKey.export({ format: 'jwk' }), kid: alg, alg, use: 'sig' } as JWK;
}

const MOST_STEPS = 12;

async function follow(start: string, subject: string, origin: string): Promise<string> {
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
      if (next.origin !== origin) return next.href;
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
