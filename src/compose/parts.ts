import { DAILY_LIMIT } from '../access/quota/quota.ts';
import type { Config, DocumentsUrl } from '../config.ts';
import { createDecoder, type Decode } from '../events/decode.ts';
import { openKafkaLog } from '../events/log/kafka.ts';
import type { Log } from '../events/log/port.ts';
import { openSqliteLog } from '../events/log/sqlite.ts';
import { systemClock, type Clock } from '../platform/clock.ts';
import { createLogger, type Logger } from '../platform/logger.ts';
import { createMetrics, type Registry } from '../platform/metrics.ts';
import type { Access } from '../platform/sqlite.ts';
import type { Projection } from '../projecting/engine/projection.ts';
import { ensureIdentity, identified } from '../stores/identity.ts';
import { openMongoDocuments } from '../stores/documents/mongodb/documents.ts';
import type { Documents } from '../stores/documents/port.ts';
import { openSqliteDocuments } from '../stores/documents/sqlite.ts';
import { openMeilisearch } from '../stores/search/meilisearch/search.ts';
import type { Search } from '../stores/search/port.ts';
import { openSqliteSearch } from '../stores/search/sqlite.ts';
import { PROJECTIONS } from '../../projections/index.ts';

/** The parts that every kind of process shares. A store is opened when it is first asked for. */
export interface Parts extends AsyncDisposable {
  readonly config: Config;
  /** What may be done to the files of an embedded installation. */
  readonly access: Access;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly registry: Registry;
  readonly projections: readonly Projection[];
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
  Pick<Parts, 'clock' | 'logger' | 'registry' | 'projections' | 'decode' | 'dailyLimit'>
>;

export function compose(
  config: Config,
  processName: string,
  overrides: Overrides = {},
  access: Access = 'create',
): Parts {
  const opened = new AsyncDisposableStack();
  const { clock = systemClock, projections = PROJECTIONS, dailyLimit = DAILY_LIMIT } = overrides;
  const logger = overrides.logger ?? createLogger(config.logLevel, processName);
  let log: Log | undefined;
  let documents: Documents | undefined;
  let search: Search | undefined;
  const openedDocuments = () => (documents ??= opened.use(openDocuments(config.documentsUrl, access)));
  return {
    config,
    access,
    clock,
    logger,
    registry: overrides.registry ?? createMetrics(),
    projections,
    decode: overrides.decode ?? createDecoder(undefined, { topicPrefix: config.topicPrefix }),
    dailyLimit,
    topicName: (topic) => `${config.topicPrefix}${topic}`,
    get log() {
      return (log ??= opened.use(openLog(config.logUrl, access, logger)));
    },
    get documents() {
      return openedDocuments();
    },
    identity: async () => (await ensureIdentity(openedDocuments(), nameOf(config.documentsUrl))).id,
    get search() {
      return (search ??= opened.use(openSearch(config, access)));
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

function openLog(url: Config['logUrl'], access: Access, logger: Logger): Log {
  return url.scheme === 'kafka' ? openKafkaLog(url, { logger }) : openSqliteLog(url.path, { access, logger });
}

function openDocuments(url: DocumentsUrl, access: Access): Documents {
  const documents =
    url.scheme === 'mongodb' ? openMongoDocuments(url.url) : openSqliteDocuments(url.path, { access });
  return identified(documents, nameOf(url));
}

/** Without what stands in a URL to be kept secret. */
export function nameOf(url: DocumentsUrl): string {
  if (url.scheme === 'sqlite') return url.path;
  return url.url.replace(/^([a-z+]+:\/\/)(?:.*@)?([^/?#]*)(\/[^?#]*)?.*$/s, '$1$2$3');
}

function openSearch({ searchUrl, searchKey: key, searchPrefix: prefix }: Config, access: Access): Search {
  return searchUrl.scheme === 'meilisearch'
    ? openMeilisearch(searchUrl.url, { key, prefix })
    : openSqliteSearch(searchUrl.path, { access });
}
