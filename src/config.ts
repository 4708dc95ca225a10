import { join } from 'node:path';
import { isatty } from 'node:tty';

import { z } from 'zod';

import { readOidcSettings } from './api/pages/account/oidc/settings.ts';
import { DEFAULT_POLICY } from './monitor/policy.ts';
import { readKafkaAddress, type KafkaAddress } from './events/log/kafka/address.ts';
import { UsageError } from './platform/errors.ts';
import { synonymsIn } from './stores/search/query/synonyms.ts';
import { unknownIn, VARIABLES, withSecretFiles } from './config/variables.ts';

/** Everything that the environment decides: read once, here, and passed on as a plain value. */
export type Config = ReturnType<typeof readConfig>;

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
export function readConfig(environment: Readonly<Record<string, string | undefined>>) {
  const set = Object.entries(environment).filter(([, value]) => value !== undefined && value !== '');
  const given = withSecretFiles(Object.fromEntries(set) as Record<string, string>);
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
    logUrl: logUrlOf(env) ?? storeUrl(`sqlite:${join(dataFolder, 'log.db')}`),
    documentsUrl,
    searchUrl: searchUrlOf(env.CATALOG_SEARCH_URL ?? `sqlite:${join(dataFolder, 'search.db')}`),
    /** What opens a search engine that is a server; null where it asks for no key. */
    searchKey: env.CATALOG_SEARCH_KEY ?? null,
    /** Stands before the name of every index on such a server. */
    searchPrefix: env.CATALOG_SEARCH_PREFIX,
    topicPrefix: env.CATALOG_TOPIC_PREFIX,
    /** null where the pepper is the embedded one, kept in the data folder. */
    keyPepper: env.CATALOG_KEY_PEPPER ?? null,
    /** What opens the acts of the operator page; null where nothing does. */
    operatorSecret: env.CATALOG_OPERATOR_SECRET ?? null,
    /** What links begin with, in the one spelling of `readPublicUrl`; null where that is `localUrl` of the port that was bound. */
    publicUrl: env.CATALOG_PUBLIC_URL ?? null,
    /** null for every address of the machine. */
    host: env.HOST ?? null,
    port: env.PORT,
    adminHost: env.ADMIN_HOST,
    adminPort: env.ADMIN_PORT,
    /** Names under which the admin port may be asked, beside loopback's; `*` for any. */
    adminAllowedHosts: env.ADMIN_ALLOWED_HOSTS as readonly string[],
    /** How long a connection of the public port may stand idle between two requests, in milliseconds. */
    keepAliveMs: 1000 * (env.CATALOG_KEEP_ALIVE ?? KEEP_ALIVE_S[isShared ? 'shared' : 'embedded']),
    /** Addresses and subnets of proxies whose `X-Forwarded-For` counts. */
    trustedProxies: env.CATALOG_TRUSTED_PROXIES as readonly string[],
    logLevel: env.LOG_LEVEL,
    // A thread has no stream that knows of the terminal, so the descriptor is asked.
    logFormat: env.LOG_FORMAT ?? (isatty(2) ? 'people' : 'json'),
    monitorPolicy: env.CATALOG_MONITOR_POLICY ?? DEFAULT_POLICY,
    /** The operator's synonyms; null where the shipped ones serve. */
    synonyms: env.CATALOG_SYNONYMS === undefined ? null : synonymsIn(env.CATALOG_SYNONYMS),
    /** Whether there are account pages at the public address; null where that follows from what is run. */
    accounts: env.CATALOG_ACCOUNTS ?? null,
    /** Where holders of accounts may sign in with an identity of theirs; null for nowhere. */
    oidc: readOidcSettings(env),
    /** `once`: the sample as it is at the first start, without further rounds of probes. */
    sample: env.CATALOG_SAMPLE,
    /** Whether events that are refused are announced to upstream. */
    rejections: env.CATALOG_REJECTIONS,
    /** Whether projectors make a build of a higher version live by themselves, once it is complete and verified. */
    cutOver: env.CATALOG_CUT_OVER,
    /** Variables that are named like ours and that nobody reads. */
    unknownVariables,
  };
}

type Environment = z.infer<z.ZodObject<typeof VARIABLES>>;

function logUrlOf(env: Environment): StoreUrl | KafkaAddress | null {
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
