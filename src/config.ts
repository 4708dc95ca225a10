import { isIP } from 'node:net';
import { join } from 'node:path';
import { isatty } from 'node:tty';

import { z } from 'zod';

import { readOidcSettings, TOKEN_AUTHS, type OidcSettings } from './api/pages/account/oidc/settings.ts';
import { DEFAULT_POLICY, type Policy } from './monitor/policy.ts';
import { readPolicy } from './monitor/read-policy.ts';
import { readKafkaAddress, type KafkaAddress } from './events/log/kafka/address.ts';
import { UsageError } from './platform/errors.ts';
import { LOG_FORMATS, LOG_LEVELS } from './platform/logger.ts';
import { withSecretFiles } from './platform/secret-files.ts';
import { synonymsIn } from './stores/search/query/shipped.ts';
import type { Synonyms } from './stores/search/query/synonyms.ts';
import { readPublicUrl } from './platform/public-url.ts';
import { slipsBetween } from './platform/spelling.ts';

/** Everything that the environment decides: read once, here, and passed on as a plain value. */
export interface Config {
  readonly dataFolder: string;
  readonly logUrl: StoreUrl | KafkaAddress;
  readonly documentsUrl: DocumentsUrl;
  readonly searchUrl: SearchUrl;
  /** What opens a search engine that is a server; null where it asks for no key. */
  readonly searchKey: string | null;
  /** Stands before the name of every index on such a server. */
  readonly searchPrefix: string;
  readonly topicPrefix: string;
  /** null where the pepper is the embedded one, kept in the data folder. */
  readonly keyPepper: string | null;
  /** The operator's synonyms; null where the shipped ones serve. */
  readonly synonyms: Synonyms | null;
  /** What links begin with, in the one spelling of `readPublicUrl`; null where that is `localUrl` of the port that was bound. */
  readonly publicUrl: string | null;
  /** null for every address of the machine. */
  readonly host: string | null;
  readonly port: number;
  readonly adminHost: string;
  readonly adminPort: number;
  /** Names under which the admin port may be asked, beside loopback's; `*` for any. */
  readonly adminAllowedHosts: readonly string[];
  /** How long a connection of the public port may stand idle between two requests, in milliseconds. */
  readonly keepAliveMs: number;
  /** Addresses and subnets of proxies whose `X-Forwarded-For` counts. */
  readonly trustedProxies: readonly string[];
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly logFormat: (typeof LOG_FORMATS)[number];
  readonly monitorPolicy: Policy;
  /** Whether there are account pages at the public address; null where that follows from what is run. */
  readonly accounts: 'on' | 'off' | null;
  /** Where holders of accounts may sign in with an identity of theirs; null for nowhere. */
  readonly oidc: OidcSettings | null;
  /** What opens the acts of the operator page; null where nothing does. */
  readonly operatorSecret: string | null;
  /** `once`: the sample as it is at the first start, without further rounds of probes. */
  readonly sample: 'on' | 'once' | 'off';
  /** Whether events that are refused are announced to upstream. */
  readonly rejections: 'on' | 'off';
  /** Whether projectors make a build of a higher version live by themselves, once it is complete and verified. */
  readonly cutOver: 'auto' | 'manual';
  /** Variables that are named like ours and that nobody reads. */
  readonly unknownVariables: readonly string[];
}

/** A store's address; its scheme chooses the adapter. */
export type StoreUrl = { readonly scheme: 'sqlite'; readonly path: string };
export type DocumentsUrl = StoreUrl | { readonly scheme: 'mongodb'; readonly url: string };
export type SearchUrl = StoreUrl | { readonly scheme: 'meilisearch'; readonly url: string };

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'a port number from 0 to 65535')
  .transform(Number)
  .refine((value) => value <= 65_535, 'a port number from 0 to 65535');

const publicUrl = z.string().transform((text, context) => {
  const read = readPublicUrl(text);
  if (read !== null) return read;
  context.addIssue('an http or https URL without a query');
  return z.NEVER;
});

const monitorPolicy = z.string().transform((text, context) => {
  const read = readPolicy(text);
  if (!('expected' in read)) return read;
  context.addIssue(read.expected);
  return z.NEVER;
});

/** What holds a secret, or may: each can stand in a file that `NAME_FILE` names. */
export const SECRETS = [
  'CATALOG_LOG_URL',
  'CATALOG_LOG_PASSWORD',
  'CATALOG_DOCUMENTS_URL',
  'CATALOG_SEARCH_KEY',
  'CATALOG_KEY_PEPPER',
  'CATALOG_OIDC_CLIENT_SECRET',
  'CATALOG_OPERATOR_SECRET',
] as const;

const file = z.string().optional();

/** Of an idle connection, in seconds: longer than fronts keep theirs, which are there where documents are shared. */
const KEEP_ALIVE_S = { shared: 75, embedded: 20 };

/** The variables with their defaults; docs/reference/configuration.md lists the same, held by a test. */
export const VARIABLES = {
  CATALOG_DATA: z.string().min(1, 'a folder').default('./data'),
  CATALOG_LOG_URL: z
    .string()
    .regex(/^(?:sqlite:.|kafka:)/, 'sqlite:PATH or kafka://HOST:PORT')
    .optional(),
  CATALOG_LOG_USERNAME: z.string().optional(),
  CATALOG_LOG_PASSWORD: z.string().optional(),
  CATALOG_DOCUMENTS_URL: z
    .string()
    .regex(/^(?:sqlite:|mongodb(?:\+srv)?:\/\/)./, 'sqlite:PATH or mongodb://HOST:PORT/DATABASE')
    .optional(),
  CATALOG_SEARCH_URL: z
    .string()
    .regex(/^(?:sqlite:.|https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?$)/, 'sqlite:PATH or http://HOST:PORT')
    .optional(),
  CATALOG_SEARCH_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'a key without spaces')
    .optional(),
  CATALOG_SEARCH_PREFIX: z
    .string()
    .regex(/^(?:[a-z][a-z0-9_-]{0,31})?$/, 'at most 32 of a-z, 0-9, "_" and "-", a letter first')
    .default(''),
  CATALOG_TOPIC_PREFIX: z
    .string()
    .regex(/^[a-z0-9._-]{0,64}$/, 'at most 64 of a-z, 0-9, ".", "_" and "-"')
    .default(''),
  CATALOG_KEY_PEPPER: z.string().min(16, 'at least 16 characters').optional(),
  CATALOG_PUBLIC_URL: publicUrl.optional(),
  HOST: z.string().min(1, 'an address to listen on').optional(),
  PORT: port.default(8080),
  ADMIN_HOST: z.string().min(1, 'an address to listen on').default('127.0.0.1'),
  ADMIN_PORT: port.default(8081),
  ADMIN_ALLOWED_HOSTS: z
    .string()
    .regex(/^(?:\*|[\w.-]+(?: *, *[\w.-]+)*)$/, 'host names with commas between them, or *')
    .transform((text) => text.split(',').map((name) => name.trim()))
    .default([]),
  CATALOG_KEEP_ALIVE: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, 'whole seconds from 1 to 3600')
    .transform(Number)
    .refine((value) => value <= 3600, 'whole seconds from 1 to 3600')
    .optional(),
  CATALOG_TRUSTED_PROXIES: z
    .string()
    .transform((text) => text.split(',').map((one) => one.trim()))
    .refine(
      (all) => all.every(isProxy),
      'addresses, subnets such as 10.0.0.0/8, or loopback, linklocal, uniquelocal',
    )
    .default([]),
  LOG_LEVEL: z.enum(LOG_LEVELS, `one of ${LOG_LEVELS.join(', ')}`).default('info'),
  LOG_FORMAT: z.enum(LOG_FORMATS, `one of ${LOG_FORMATS.join(', ')}`).optional(),
  CATALOG_MONITOR_POLICY: monitorPolicy.optional(),
  CATALOG_REJECTIONS: z.enum(['on', 'off'], 'on or off').default('on'),
  CATALOG_CUT_OVER: z.enum(['auto', 'manual'], 'auto or manual').default('manual'),
  CATALOG_SYNONYMS: z.string().optional(),
  CATALOG_ACCOUNTS: z.enum(['on', 'off'], 'on or off').optional(),
  CATALOG_OIDC_ISSUER: z
    .string()
    .regex(
      /^(?:https:\/\/[^\s?#]+|http:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?(?:\/[^\s?#]*)?)$/,
      'an https URL',
    )
    .refine((text) => URL.canParse(text), 'an https URL')
    .optional(),
  CATALOG_OIDC_CLIENT_ID: z.string().optional(),
  CATALOG_OIDC_CLIENT_SECRET: z.string().optional(),
  CATALOG_OIDC_TOKEN_AUTH: z.enum(TOKEN_AUTHS, 'basic, post or none').optional(),
  CATALOG_OIDC_ALLOW: z
    .string()
    .transform((text) => text.split(',').map((one) => one.trim()))
    .refine((all) => all.every((one) => one !== ''), 'subjects with commas between them, or *')
    .default([]),
  CATALOG_OPERATOR_SECRET: z.string().min(16, 'at least 16 characters').optional(),
  CATALOG_SAMPLE: z.enum(['on', 'once', 'off'], 'on, once or off').default('on'),
  // Read by platform/command-line.ts, where hints are made.
  CATALOG_COMMAND: z.string().optional(),
  CATALOG_LOG_URL_FILE: file,
  CATALOG_LOG_PASSWORD_FILE: file,
  CATALOG_DOCUMENTS_URL_FILE: file,
  CATALOG_SEARCH_KEY_FILE: file,
  CATALOG_KEY_PEPPER_FILE: file,
  CATALOG_OIDC_CLIENT_SECRET_FILE: file,
  CATALOG_OPERATOR_SECRET_FILE: file,
} as const;

/**
 * Reads the environment, and the files that it names for secrets. An empty variable counts as absent.
 * @throws {UsageError} naming the first variable that is wrong, and what it accepts.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const set = Object.entries(environment).filter(([, value]) => value !== undefined && value !== '');
  const given = withSecretFiles(Object.fromEntries(set) as Record<string, string>, SECRETS);
  const unknownVariables = unknownIn(Object.keys(given));
  const parsed = z.object(VARIABLES).safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new UsageError(`${String(issue?.path[0])} is wrong: expected ${issue?.message}.`);
  }
  const env = parsed.data;
  const dataFolder = env.CATALOG_DATA;
  const documentsUrl = documentsUrlOf(
    env.CATALOG_DOCUMENTS_URL ?? `sqlite:${join(dataFolder, 'documents.db')}`,
  );
  const isShared = documentsUrl.scheme !== 'sqlite';
  if (isShared && env.CATALOG_KEY_PEPPER === undefined) {
    throw new UsageError(
      'CATALOG_KEY_PEPPER is missing: shared documents need a secret of at least 16 characters, the same for every process.',
    );
  }
  return {
    dataFolder,
    logUrl: logUrl(env) ?? storeUrl(`sqlite:${join(dataFolder, 'log.db')}`),
    documentsUrl,
    searchUrl: searchUrlOf(env.CATALOG_SEARCH_URL ?? `sqlite:${join(dataFolder, 'search.db')}`),
    searchKey: env.CATALOG_SEARCH_KEY ?? null,
    searchPrefix: env.CATALOG_SEARCH_PREFIX,
    topicPrefix: env.CATALOG_TOPIC_PREFIX,
    keyPepper: env.CATALOG_KEY_PEPPER ?? null,
    operatorSecret: env.CATALOG_OPERATOR_SECRET ?? null,
    publicUrl: env.CATALOG_PUBLIC_URL ?? null,
    host: env.HOST ?? null,
    port: env.PORT,
    adminHost: env.ADMIN_HOST,
    adminPort: env.ADMIN_PORT,
    adminAllowedHosts: env.ADMIN_ALLOWED_HOSTS,
    keepAliveMs: 1000 * (env.CATALOG_KEEP_ALIVE ?? KEEP_ALIVE_S[isShared ? 'shared' : 'embedded']),
    trustedProxies: env.CATALOG_TRUSTED_PROXIES,
    logLevel: env.LOG_LEVEL,
    // A thread has no stream that knows of the terminal, so the descriptor is asked.
    logFormat: env.LOG_FORMAT ?? (isatty(2) ? 'people' : 'json'),
    monitorPolicy: env.CATALOG_MONITOR_POLICY ?? DEFAULT_POLICY,
    synonyms: env.CATALOG_SYNONYMS === undefined ? null : synonymsIn(env.CATALOG_SYNONYMS),
    accounts: env.CATALOG_ACCOUNTS ?? null,
    oidc: readOidcSettings(env),
    sample: env.CATALOG_SAMPLE,
    rejections: env.CATALOG_REJECTIONS,
    cutOver: env.CATALOG_CUT_OVER,
    unknownVariables,
  };
}

const NAMED_SUBNETS = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** What Express takes for a trusted proxy; a subnet of everybody is nobody's proxy. */
function isProxy(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  if (NAMED_SUBNETS.has(text)) return true;
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  const most = version === 4 ? 32 : 128;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most);
}

/** More than that is another word. */
const SLIPS = 2;

/**
 * The names that begin like ours and are not. Anything may set such variables (an orchestrator does, for a service that
 * is called so); but one that is nearly ours was meant for us.
 */
function unknownIn(names: readonly string[]): readonly string[] {
  const known = Object.keys(VARIABLES);
  const unknown = names.filter((name) => name.startsWith('CATALOG_') && !known.includes(name));
  for (const name of unknown) {
    const meant = known.find((one) => slipsBetween(name, one, SLIPS) <= SLIPS);
    if (meant !== undefined) throw new UsageError(`${name} is not known. Is ${meant} meant?`);
  }
  return unknown;
}

function logUrl(env: {
  readonly CATALOG_LOG_URL?: string | undefined;
  readonly CATALOG_LOG_USERNAME?: string | undefined;
  readonly CATALOG_LOG_PASSWORD?: string | undefined;
}): StoreUrl | KafkaAddress | null {
  const { CATALOG_LOG_URL: url, CATALOG_LOG_USERNAME: username, CATALOG_LOG_PASSWORD: password } = env;
  if (!url?.startsWith('kafka:')) return url === undefined ? null : storeUrl(url);
  const address = readKafkaAddress(url, { username, password });
  if ('expected' in address) throw new UsageError(`CATALOG_LOG_URL is wrong: expected ${address.expected}.`);
  return address;
}

function documentsUrlOf(url: string): DocumentsUrl {
  return url.startsWith('mongodb') ? { scheme: 'mongodb', url } : storeUrl(url);
}

function searchUrlOf(url: string): SearchUrl {
  return url.startsWith('http') ? { scheme: 'meilisearch', url } : storeUrl(url);
}

/** What links begin with where nothing else is configured. Which port 0 becomes, only listening tells. */
export function localUrl(boundPort: number): string {
  return new URL(`http://localhost:${boundPort}`).origin;
}

function storeUrl(url: string): StoreUrl {
  return { scheme: 'sqlite', path: url.slice('sqlite:'.length) };
}
