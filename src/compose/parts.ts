import { isMainThread } from 'node:worker_threads';

import { DAILY_LIMIT } from '../access/quota/quota.ts';
import type { Config, DocumentsUrl } from '../config.ts';
import { createDecoder, type Decode } from '../events/decode.ts';
import { EVENT_TYPES } from '../events/event-types.ts';
import type { Log } from '../events/log/port.ts';
import { openSqliteLog } from '../events/log/sqlite.ts';
import { systemClock, type Clock } from '../platform/time/clock.ts';
import { createLogger, standardError, type Logger } from '../platform/logger.ts';
import { createMetrics, type Registry } from '../platform/metrics-registry.ts';
import type { Access } from '../platform/sqlite/open-database.ts';
import type { Projection } from '../projecting/engine/projection.ts';
import { ensureIdentity, withIdentityCheck } from '../stores/store-identity.ts';
import type { Documents } from '../stores/documents/port.ts';
import { openSqliteDocuments } from '../stores/documents/sqlite.ts';
import type { Search } from '../stores/search/port.ts';
import { openSqliteSearch } from '../stores/search/sqlite.ts';
import { EARLIER, type EarlierFold } from '../../earlier/index.ts';
import { PROJECTIONS } from '../../projections/index.ts';

/** The parts that every kind of process shares. A store is opened when it is first asked for. */
export type Parts = Awaited<ReturnType<typeof compose>>;

/** The whole test seam. */
export interface Overrides {
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly registry?: Registry;
  readonly projections?: readonly Projection[];
  readonly earlier?: readonly Projection[];
  readonly decode?: Decode;
  readonly dailyLimit?: number;
}

/** Of the adapters to services it loads those that the configuration names: each takes longer than a short command. */
export async function compose(
  config: Config,
  processName: string,
  overrides: Overrides = {},
  access: Access = 'create',
) {
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
    /** What may be done to the files of an embedded installation. */
    access,
    clock,
    logger,
    registry: overrides.registry ?? createMetrics(),
    /** The read models, in the versions that this release makes. */
    projections,
    /** Folds of earlier releases that this one keeps, each with a decoder of its own. */
    earlier: overrides.earlier ?? EARLIER.map((fold) => keptFold(fold, config)),
    decode: overrides.decode ?? createDecoder(EVENT_TYPES, { topicPrefix: config.topicPrefix }),
    /** Requests that a key may make in a UTC day. */
    dailyLimit,
    /** A topic's name as the log has it: the configured prefix stands before it. */
    topicName: (topic: string): string => `${config.topicPrefix}${topic}`,
    get log() {
      return (log ??= opened.use(openLog()));
    },
    /** Refuses every call where it was made in another format. */
    get documents() {
      return openedDocuments();
    },
    /** The identity of the documents, made where they have none yet. */
    identity: async () => (await ensureIdentity(openedDocuments(), nameOf(config.documentsUrl))).id,
    get search() {
      return (search ??= opened.use(openSearch()));
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/**
 * kafkajs sets a timer for "not throttled" that is long past, and Node says so once a process. It means nothing, and
 * kafkajs is frozen.
 */
const EXPECTED: ReadonlySet<string> = new Set(['TimeoutNegativeWarning']);

/**
 * Makes lines of the log of what Node warns of: it would print plain text between them, which no collector of JSON lines
 * can read. For the whole thread; the last caller's logger has them.
 */
export function logProcessWarnings(logger: Logger): void {
  // Node's own printer is one of them.
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (!EXPECTED.has(warning.name)) logger.warn({ err: warning }, 'Node warns');
  });
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
    // The main thread opens them too, and looks at them first.
    return () =>
      withIdentityCheck(
        openSqliteDocuments(url.path, { access, isCheckedElsewhere: !isMainThread }),
        url.path,
      );
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
