export interface Sasl {
  readonly mechanism: (typeof MECHANISMS)[number];
  readonly username: string;
  readonly password: string;
}

const MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;

/** Credentials that stand in variables of their own: they win over those in the URL. */
export interface Credentials {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}

export function readSasl(
  user: string,
  mechanism: string | null,
  credentials: Credentials,
): Sasl | { readonly expected: string } | null {
  const [name = '', ...rest] = user.split(':');
  const username = credentials.username ?? decoded(name);
  const password = credentials.password ?? decoded(rest.join(':'));
  if (username === null || password === null) {
    return { expected: 'user and password percent-encoded: %40 for "@", %25 for "%"' };
  }
  if (username === '' && password === '' && mechanism === null) return null;
  const found = MECHANISMS.find((known) => known === (mechanism ?? 'scram-sha-512'));
  if (!found) return { expected: `sasl=${MECHANISMS.join(' or sasl=')}` };
  if (username === '' || password === '') {
    return {
      expected: 'both a user and a password, in the URL or in CATALOG_LOG_USERNAME and CATALOG_LOG_PASSWORD',
    };
  }
  return { mechanism: found, username, password };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
