/** Where Kafka is and how to get in: a plain value, read from CATALOG_LOG_URL. */
export interface KafkaAddress {
  readonly scheme: 'kafka';
  /** `HOST:PORT`, at least one; the others of the cluster are learnt from these. */
  readonly brokers: readonly string[];
  /** null for connections without TLS. */
  readonly tls: TlsFiles | null;
  readonly sasl: Sasl | null;
}

/** Paths of PEM files; null where the system's own authorities, and no client certificate, are meant. */
export interface TlsFiles {
  readonly ca: string | null;
  readonly cert: string | null;
  readonly key: string | null;
}

interface Sasl {
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

const OPTIONS = ['tls', 'ca', 'cert', 'key', 'sasl'];

/**
 * kafkajs cannot be given an IPv6 address: such a broker needs a name. Credentials in the URL are read too, and not in
 * this text: on its way out it would be taken for a secret.
 */
const FORM =
  'kafka://HOST:PORT[,HOST:PORT...][?tls=true&ca=FILE&cert=FILE&key=FILE&sasl=MECHANISM], with the user in CATALOG_LOG_USERNAME and CATALOG_LOG_PASSWORD';

/** PLAIN shows the password to a listener, SCRAM what is read and written: that has to be asked for. */
const TLS_OR_SAID =
  'tls=true beside a user, or tls=false where nobody else can listen on the way to the brokers';

/** Reads `kafka://...`; where it is wrong, `expected` says what is accepted, without repeating a password. */
export function readKafkaAddress(
  url: string,
  credentials: Credentials = {},
): KafkaAddress | { readonly expected: string } {
  const parts = /^kafka:\/\/(?:([^@/?#]*)@)?([^@/?#]+)\/?(?:\?([^#]*))?$/.exec(url);
  const [, user = '', hosts = '', query = ''] = parts ?? [];
  const brokers = hosts.split(',');
  if (!parts || !brokers.every((broker) => /^[\w.-]+:\d{1,5}$/.test(broker))) return { expected: FORM };
  const options = new URLSearchParams(query);
  const unknown = [...options.keys()].find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined) return { expected: `no option but ${OPTIONS.join(', ')} after the "?"` };
  const tls = options.get('tls') ?? 'false';
  if (tls !== 'true' && tls !== 'false') return { expected: 'tls=true or tls=false' };
  const files = { ca: options.get('ca'), cert: options.get('cert'), key: options.get('key') };
  if (tls === 'false' && Object.values(files).some((file) => file !== null))
    return { expected: 'tls=true beside ca, cert and key' };
  const sasl = readSasl(user, options.get('sasl'), credentials);
  if (sasl && 'expected' in sasl) return sasl;
  if (sasl && !options.has('tls') && !brokers.every(isLoopback)) return { expected: TLS_OR_SAID };
  return { scheme: 'kafka', brokers, tls: tls === 'true' ? files : null, sasl };
}

function isLoopback(broker: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}):/.test(broker);
}

function readSasl(
  user: string,
  mechanism: string | null,
  credentials: Credentials,
): Sasl | { readonly expected: string } | null {
  const [name = '', ...rest] = user.split(':');
  const username = credentials.username ?? decoded(name);
  const password = credentials.password ?? decoded(rest.join(':'));
  if (username === null || password === null)
    return { expected: 'user and password percent-encoded: %40 for "@", %25 for "%"' };
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
