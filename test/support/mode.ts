import { randomUUID } from 'node:crypto';

import { inject } from 'vitest';

import type { Parts } from '../../src/compose/parts.ts';
import { TOPICS } from '../../src/events/event-types.ts';
import { kafkaAddress, withAdmin } from './kafka-log.ts';
import { grantAsDeployed } from './kafka-rights.ts';
import { install, type Installation } from './process.ts';
import type { KafkaCluster } from './services/kafka-cluster.ts';
import { asItsUser } from './services/kafka-users.ts';
import { testKey } from './services/meilisearch.ts';
import { commandsHere } from './run-here.ts';
import { openParts } from './parts.ts';

/** Which stores a whole system runs on. The environment says it, as it does to any process. */
export interface Mode {
  readonly name: string;
  /** Whether this run has the services for it; else the run says why not. */
  readonly isHere: boolean;
  /** An installation on them, or with its log in a cluster of its own; `extra` is added to its environment. */
  install(extra?: Readonly<Record<string, string>>, cluster?: KafkaCluster): Promise<Installation>;
}

/** Everything in files of one folder. */
export const EMBEDDED: Mode = { name: 'embedded', isHere: true, install: (extra) => install(extra) };

type ServiceName = keyof typeof environments;

/** On these services, and in files what they do not keep; with names of its own on each of them. */
export function modeOn(...services: readonly ServiceName[]): Mode {
  const installation = `e2e-${randomUUID().slice(0, 8)}`;
  const parts = services.map((service) => {
    const url = inject('services')[service]?.url ?? null;
    return url === null ? null : environments[service](url, installation);
  });
  const env = Object.assign({}, ...parts) as Readonly<Record<string, string>>;
  return {
    name: `on ${services.join(', ')}`,
    isHere: parts.every((part) => part !== null),
    install: async (extra, cluster) => {
      const own = cluster ? { CATALOG_LOG_URL: cluster.url() } : {};
      const knowsUsers = cluster !== undefined || knowsKafkaUsers();
      if (!services.includes('kafka') || !knowsUsers) return install({ ...env, ...extra });
      await grantAsDeployed(`${installation}.`, kafkaAddress(cluster?.url()));
      const installed = await install({ ...env, ...own, ...extra }, asItsUser);
      // As the deploy guide says: the operator makes the topics, and a projector may not.
      await installed.catalog(['doctor', 'topics', '--create']);
      return installed;
    },
  };
}

/** Whether the Kafka of this run has users with rights: one that was there already may take anybody. */
function knowsKafkaUsers(): boolean {
  const kafka = inject('services')['kafka'];
  return kafka !== undefined && kafka.url !== null && kafka.from === 'registry';
}

const environments = {
  kafka: (url: string, installation: string) => ({
    CATALOG_LOG_URL: url,
    CATALOG_TOPIC_PREFIX: `${installation}.`,
  }),
  mongodb: (url: string, installation: string) => {
    const address = new URL(url);
    address.pathname = `/${installation}`;
    return { CATALOG_DOCUMENTS_URL: address.href, CATALOG_KEY_PEPPER: randomUUID() };
  },
  meilisearch: (url: string, installation: string) => ({
    CATALOG_SEARCH_URL: url,
    CATALOG_SEARCH_PREFIX: `${installation}-`,
    CATALOG_SEARCH_KEY: testKey() ?? '',
  }),
};

/** An installation without the sample, its commands in this process, and its stores; at its end it leaves nothing behind. */
export async function openInstalled(mode: Mode) {
  await using opening = new AsyncDisposableStack();
  const catalog = opening.use(await mode.install({ CATALOG_SAMPLE: 'off' }));
  const parts = opening.use(await openParts(catalog.env));
  opening.defer(() => clearAway(parts));
  const opened = opening.move();
  const run = commandsHere(catalog);
  return { catalog, run, parts, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** Leaves nothing behind on services that others use too. */
export async function clearAway({ config, search, documents, topicName }: Parts): Promise<void> {
  for (const index of await search.indexes()) await search.drop(index);
  for (const collection of await documents.collections()) await documents.drop(collection);
  if (config.logUrl.scheme !== 'kafka') return;
  const topics = TOPICS.map(({ name }) => topicName(name));
  await withAdmin((admin) => admin.deleteTopics({ topics }), config.logUrl);
}
