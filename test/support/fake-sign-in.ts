import { onTestFinished } from 'vitest';

import { createOidc, type Oidc } from '../../src/api/pages/account/oidc/code-flow.ts';
import type { OidcSettings } from '../../src/api/pages/account/oidc/settings.ts';
import { json, startFakeProvider, type FakeAnswers, type FakeProvider } from './fake-provider.ts';

/** A client's secret with every sign that ways of proving oneself spell differently. */
export const SECRET = 'a secret: with + and % in it';
const HOME = 'http://127.0.0.1/en/account/callback';

export interface Attempt extends FakeAnswers {
  readonly settings?: Partial<OidcSettings>;
  /** How many sign in, one after the other. */
  readonly times?: number;
  /** Changes the parameters that the browser brings back. */
  readonly answer?: (parameters: URLSearchParams, issuer: string) => void;
}

type Outcome = Awaited<ReturnType<Oidc['finish']>>;

/** One sign-in at a provider that answers so, by a browser that follows it. */
export async function attemptSignIn(
  attempt: Attempt,
): Promise<{ readonly provider: FakeProvider; readonly outcome: Outcome }> {
  let nonce = '';
  const provider = await startFakeProvider(attempt, () => nonce);
  onTestFinished(() => provider[Symbol.asyncDispose]());
  const oidc = createOidc({
    issuer: provider.issuer,
    clientId: 'catalog',
    clientSecret: SECRET,
    tokenAuth: null,
    allow: ['*'],
    ...attempt.settings,
  });
  const times = attempt.times ?? 1;
  let outcome: Outcome | null = null;
  for (let time = 0; time < times; time += 1) outcome = await signIn(oidc);
  if (outcome === null) throw new Error('Nobody signs in');
  return { provider, outcome };

  async function signIn(at: Oidc): Promise<Outcome> {
    const begun = await at.begin(HOME);
    if (begun.outcome !== 'begun') return begun;
    ({ nonce } = begun);
    const answer = new URL(HOME);
    answer.searchParams.set('state', begun.state);
    answer.searchParams.set('code', 'a code');
    attempt.answer?.(answer.searchParams, provider.issuer);
    return await at.finish(answer, begun);
  }
}

/** A provider whose metadata says that its token endpoint takes these. */
export function taking(...methods: readonly string[]): Pick<FakeAnswers, 'metadata'> {
  return { metadata: () => ({ token_endpoint_auth_methods_supported: methods }) };
}

export const asHtml =
  (status: number): NonNullable<FakeAnswers['token']> =>
  (response) =>
    void response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' }).end('<h1>Hello</h1>');

/** Half of a JSON text. */
export const inHalf: NonNullable<FakeAnswers['token']> = (response) =>
  void response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"issuer":');

export const refusing =
  (error: string, status = 400): NonNullable<FakeAnswers['token']> =>
  (response) =>
    json(response, { error, error_description: 'because' }, status);
