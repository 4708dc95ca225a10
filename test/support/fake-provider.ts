import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import { listenOnLoopback } from './loopback.ts';

/** A provider of OpenID Connect that answers as a test says, right or wrong. */
export interface FakeProvider extends AsyncDisposable {
  readonly issuer: string;
  /** How the client proved itself at each request for tokens. */
  readonly authentications: readonly Authentication[];
  /** Requests for the keys. */
  readonly keyRequests: number;
}

export interface Authentication {
  readonly method: 'basic' | 'post' | 'none';
  readonly id: string | null;
  readonly secret: string | null;
}

type Json = Readonly<Record<string, unknown>>;

export interface FakeAnswers {
  /** Of the issuer, below its host. */
  readonly path?: string;
  /** In the place of what the metadata would say; undefined takes a field away. */
  readonly metadata?: (issuer: string) => Json;
  readonly alg?: Alg;
  /** In the place of what an ID token would say. */
  readonly claims?: (issuer: string) => Json;
  /** In the place of what its header would say. */
  readonly header?: Json;
  /** The ID token with another signature. */
  readonly forge?: boolean;
  /** In the place of what the token endpoint would answer. */
  readonly token?: (response: ServerResponse) => void;
  readonly discovery?: (response: ServerResponse) => void;
  /** Of all answers that are JSON. */
  readonly contentType?: string;
  readonly jwks?: (response: ServerResponse) => void;
}

export type Alg = 'RS256' | 'PS256' | 'ES256';

const PAIRS: Readonly<Record<Alg, { readonly privateKey: KeyObject; readonly publicKey: KeyObject }>> = {
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  PS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
};

export function json(response: ServerResponse, body: unknown, status = 200, type = 'application/json'): void {
  response.writeHead(status, { 'Content-Type': type }).end(JSON.stringify(body));
}

/** `nonce`: of the sign-in under way, which a browser would have brought along. */
export async function startFakeProvider(answers: FakeAnswers, nonce: () => string): Promise<FakeProvider> {
  const authentications: Authentication[] = [];
  let keyRequests = 0;
  const server = createServer();
  const listening = await listenOnLoopback(server);
  const origin = `http://127.0.0.1:${listening.port}`;
  const issuer = `${origin}${answers.path ?? ''}`;
  const base = issuer.replace(/\/$/, '');

  const pages: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => unknown>> = {
    '/.well-known/openid-configuration': (_request, response) =>
      answers.discovery ? answers.discovery(response) : json(response, metadata(), 200, answers.contentType),
    '/jwks': (_request, response) => {
      keyRequests += 1;
      return answers.jwks
        ? answers.jwks(response)
        : json(response, { keys: Object.keys(PAIRS).map(jwkOf) }, 200, answers.contentType);
    },
    '/token': async (request, response) => {
      const form = new URLSearchParams(await text(request));
      authentications.push(authenticationOf(request, form));
      if (answers.token) answers.token(response);
      else
        json(
          response,
          { access_token: 'a', token_type: 'Bearer', id_token: idToken() },
          200,
          answers.contentType,
        );
    },
  };

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const page = pages[(request.url ?? '').slice(base.length - origin.length)];
    if (page) void page(request, response);
    else response.writeHead(404).end();
  });

  return {
    issuer,
    authentications,
    get keyRequests() {
      return keyRequests;
    },
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };

  function metadata(): Json {
    return {
      issuer,
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/token`,
      jwks_uri: `${base}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'PS256', 'ES256'],
      ...answers.metadata?.(issuer),
    };
  }

  function idToken(): string {
    const alg = answers.alg ?? 'RS256';
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer, sub: 'ada', aud: 'catalog', iat: now, exp: now + 300, nonce: nonce() };
    const content = [
      { alg, kid: alg, ...answers.header },
      { ...claims, ...answers.claims?.(issuer) },
    ]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const signature = signatureOf(answers.forge ? `${content}x` : content, alg);
    return `${content}.${signature.toString('base64url')}`;
  }
}

function jwkOf(alg: string): Json {
  return { ...PAIRS[alg as Alg].publicKey.export({ format: 'jwk' }), kid: alg, alg, use: 'sig' };
}

/** As JSON Web Algorithms want it (RFC 7518, sections 3.3 to 3.5). */
function signatureOf(content: string, alg: Alg): Buffer {
  const { privateKey: key } = PAIRS[alg];
  const bytes = Buffer.from(content);
  switch (alg) {
    case 'RS256':
      return sign('sha256', bytes, key);
    case 'PS256':
      // 6: RSA_PKCS1_PSS_PADDING
      return sign('sha256', bytes, { key, padding: 6, saltLength: 32 });
    case 'ES256':
      return sign('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' });
  }
}

/** As RFC 6749, section 2.3.1, says: percent-encoded before it is base64. */
function authenticationOf({ headers }: IncomingMessage, form: URLSearchParams): Authentication {
  const [, encoded] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? [];
  if (encoded !== undefined) {
    const [id = '', secret = ''] = Buffer.from(encoded, 'base64').toString().split(':').map(decodeForm);
    return { method: 'basic', id, secret };
  }
  const secret = form.get('client_secret');
  return { method: secret === null ? 'none' : 'post', id: form.get('client_id'), secret };
}

function decodeForm(encoded: string): string {
  return decodeURIComponent(encoded.replaceAll('+', ' '));
}
