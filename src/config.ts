import { join } from 'node:path';
import { isatty } from 'node:tty';

import { z } from 'zod';

import { readOidcSettings, type OidcSettings } from './api/pages/account/oidc/settings.ts';
import { DEFAULT_POLICY, type Policy } from './monitor/policy.ts';
import { readKafkaAddress, type KafkaAddress } from './events/log/kafka/address.ts';
import { UsageError } from './platform/errors.ts';
import type { LogFormat, LogLevel } from './platform/logger.ts';
import { synonymsIn } from './stores/search/query/shipped.ts';
import type { Synonyms } from './stores/search/query/synonyms.ts';
import { withSecretFiles } from './config/secret-files.ts';
import { SECRETS, unknownIn, VARIABLES } from './config/variables.ts';

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
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
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

/** Of an idle connection, in seconds: longer than fronts keep theirs, which are there where documents are shared. */
const KEEP_ALIVE_S = { shared: 75, embedded: 20 };

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
