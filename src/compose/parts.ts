import { DAILY_LIMIT } from '../access/quota/quota.ts';
import type { Config, DocumentsUrl } from '../config.ts';
import { createDecoder, type Decode } from '../events/decode.ts';
import { EVENT_TYPES } from '../events/types.ts';
import type { Log } from '../events/log/port.ts';
import { openSqliteLog } from '../events/log/sqlite.ts';
import { systemClock, type Clock } from '../platform/time/clock.ts';
import { createLogger, standardError, type Logger } from '../platform/logger.ts';
import { createMetrics, type Registry } from '../platform/metrics.ts';
import { logProcessWarnings } from './process-warnings.ts';
import type { Access } from '../platform/sqlite/opening.ts';
import type { Projection } from '../projecting/engine/projection.ts';
import { ensureIdentity, withIdentityCheck } from '../stores/identity.ts';
import type { Documents } from '../stores/documents/port.ts';
import { openSqliteDocuments } from '../stores/documents/sqlite.ts';
import type { Search } from '../stores/search/port.ts';
import { openSqliteSearch } from '../stores/search/sqlite.ts';
import { EARLIER, type EarlierFold } from '../../earlier/index.ts';
import { PROJECTIONS } from '../../projections/index.ts';

/** The parts that every kind of process shares. A store is opened when it is first asked for. */
export interface Parts extends AsyncDisposable {
  readonly config: Config;
  /** What may be done to the files of an embedded installation. */
  readonly access: Access;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly registry: Registry;
  /** The read models, in the versions that this release makes. */
  readonly projections: readonly Projection[];
  /** Folds of earlier releases that this one keeps, each with a decoder of its own. */
  readonly earlier: readonly Projection[];
  readonly decode: Decode;
  /** Requests that a key may make in a UTC day. */
  readonly dailyLimit: number;
  /** A topic's name as the log has it: the configured prefix stands before it. */
  readonly topicName: (topic: string) => string;
  readonly log: Log;
  /** Refuses every call where it was made in another format. */
  readonly documents: Documents;
  /** The identity of the documents, made where they have none yet. */
  readonly identity: () => Promise<string>;
  readonly search: Search;
}

/** The whole test seam. */
export type Overrides = Partial<
  Pick<Parts, 'clock' | 'logger' | 'registry' | 'projections' | 'earlier' | 'decode' | 'dailyLimit'>
>;

/** Of the adapters to services it loads those that the configuration names: each takes longer than a short command. */
export async function compose(
  config: Config,
  processName: string,
  overrides: Overrides = {},
  access: Access = 'create',
): Promise<Parts> {
  const opened = new AsyncDisposableStack();
  const { clock = systemClock, projections = PROJECTIONS, dailyLimit = DAILY_LIMIT } = overrides;
  const logger =
    overrides.logger ?? createLogger(config.logLevel, processName, standardError(config.logFormat));
  if (!overrides.logger) logProcessWarnings(logger);
  const openLog = await logOpener(config.logUrl, access, logger);
  const openDocuments = await documentsOpener(config.documentsUrl, access);
  const openSearch = await searchOpener(config, access);
  let log: Log | undefined;
  let documents: Documents | undefined;
  let search: Search | undefined;
  const openedDocuments = () => (documents ??= opened.use(openDocuments()));
  return {
    config,
    access,
    clock,
    logger,
    registry: overrides.registry ?? createMetrics(),
    projections,
    earlier: overrides.earlier ?? EARLIER.map((fold) => keptFold(fold, config)),
    decode: overrides.decode ?? createDecoder(EVENT_TYPES, { topicPrefix: config.topicPrefix }),
    dailyLimit,
    topicName: (topic) => `${config.topicPrefix}${topic}`,
    get log() {
      return (log ??= opened.use(openLog()));
    },
    get documents() {
      return openedDocuments();
    },
    identity: async () => (await ensureIdentity(openedDocuments(), nameOf(config.documentsUrl))).id,
    get search() {
      return (search ??= opened.use(openSearch()));
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

function keptFold({ projection, createDecode }: EarlierFold, { topicPrefix }: Config): Projection {
  return { ...projection, decode: createDecode({ topicPrefix }) };
}

async function logOpener(url: Config['logUrl'], access: Access, logger: Logger): Promise<() => Log> {
  if (url.scheme === 'sqlite') return () => openSqliteLog(url.path, { access, logger });
  const { openKafkaLog } = await import('../events/log/kafka.ts');
  return () => openKafkaLog(url, { logger });
}

async function documentsOpener(url: DocumentsUrl, access: Access): Promise<() => Documents> {
  if (url.scheme === 'sqlite')
    return () => withIdentityCheck(openSqliteDocuments(url.path, { access }), url.path);
  const { openMongoDocuments } = await import('../stores/documents/mongodb/documents.ts');
  return () => withIdentityCheck(openMongoDocuments(url.url), nameOf(url));
}

/** Without what stands in a URL to be kept secret. */
export function nameOf(url: DocumentsUrl): string {
  if (url.scheme === 'sqlite') return url.path;
  return url.url.replace(/^([a-z+]+:\/\/)(?:.*@)?([^/?#]*)(\/[^?#]*)?.*$/s, '$1$2$3');
}

async function searchOpener(
  { searchUrl: url, searchKey: key, searchPrefix: prefix }: Config,
  access: Access,
): Promise<() => Search> {
  if (url.scheme === 'sqlite') return () => openSqliteSearch(url.path, { access });
  const { openMeilisearch } = await import('../stores/search/meilisearch/search.ts');
  return () => openMeilisearch(url.url, { key, prefix });
}
