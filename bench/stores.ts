import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import { MongoClient } from 'mongodb';

import { readKafkaAddress } from '../src/events/log/kafka/address.ts';
import { messageOf } from '../src/platform/errors.ts';
import { openMeilisearch } from '../src/stores/search/meilisearch/search.ts';
import { install, type Installation } from '../test/support/process.ts';
import { startCluster, canStartCluster, KAFKA_VERSION } from '../test/support/services/kafka-cluster.ts';
import { meilisearch, testKey } from '../test/support/services/meilisearch.ts';
import { mongodb } from '../test/support/services/mongodb.ts';
import type { RunningService, Service } from '../test/support/services/service.ts';

type Environment = Readonly<Record<string, string>>;

/** What a benchmark runs on: files of a folder, or services. */
export interface Stores extends AsyncDisposable {
  /** For the report. */
  readonly told: string;
  readonly areServices: boolean;
  /** How long the lanes of a projector that was killed stay its own, in seconds: not at all where its process is seen to be gone. */
  readonly leaseS: number;
  install(): Promise<Stage>;
}

/** An installation without the sample, which may have several sets of documents. */
export interface Stage extends AsyncDisposable {
  readonly installation: Installation;
  /** The environment of documents of this name, with their index. */
  readonly documents: (name: string) => Environment;
  /** With its log and one set of documents. */
  readonly env: Environment;
}

/** Everything in files of one folder: the default. */
export function embedded(): Stores {
  return {
    told: 'files of one folder',
    areServices: false,
    leaseS: 0,
    install: async () =>
      stageOf(await install({ CATALOG_SAMPLE: 'off' }), {
        log: ({ folder }, name) => ({ CATALOG_LOG_URL: `sqlite:${join(folder, `${name}.log.db`)}` }),
        documents: ({ folder }, name) => ({ CATALOG_DATA: join(folder, name) }),
        // All of it is in the folder of the installation.
        clear: async () => undefined,
      }),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** A Kafka of one broker, a MongoDB and a Meilisearch, as the tests of services have them; `TEST_KAFKA_URL` and others name what is there. */
export async function startServices(): Promise<Stores> {
  await using starting = new AsyncDisposableStack();
  const kafka = kafkaGiven() ?? starting.use(await ownKafka()).url();
  const documents = starting.use(await start(mongodb));
  const search = starting.use(await start(meilisearch));
  const started = starting.move();
  return {
    told: [
      kafkaGiven() === null ? `Kafka ${KAFKA_VERSION}, one broker` : 'Kafka as it was there',
      `MongoDB: ${documents.version} (${documents.from})`,
      `Meilisearch: ${search.version} (${search.from})`,
    ].join('; '),
    areServices: true,
    // The session of a member of a group.
    leaseS: 15,
    install: async () =>
      stageOf(await install({ CATALOG_SAMPLE: 'off' }), {
        log: (_, name) => ({ CATALOG_LOG_URL: kafka, CATALOG_TOPIC_PREFIX: `${name}.` }),
        documents: ({ folder }, name) => ({
          CATALOG_DATA: join(folder, name),
          CATALOG_DOCUMENTS_URL: Object.assign(new URL(documents.url), { pathname: `/${name}` }).href,
          CATALOG_KEY_PEPPER: 'of-a-benchmark-alone',
          CATALOG_SEARCH_URL: search.url,
          CATALOG_SEARCH_PREFIX: `${name}-`,
          CATALOG_SEARCH_KEY: testKey() ?? '',
        }),
        clear: (own) => dropNamed(own, documents.url, search.url),
      }),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

/** Drops the databases and the indexes whose names begin so: services are shared, and slower the more they hold. */
async function dropNamed(own: string, documentsUrl: string, searchUrl: string): Promise<void> {
  {
    await using client = new MongoClient(documentsUrl);
    const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
    for (const { name } of databases) if (name.startsWith(own)) await client.db(name).dropDatabase();
  }
  await using search = openMeilisearch(searchUrl, { key: testKey(), prefix: `${own}-`, taskMs: 120_000 });
  for (const index of await search.indexes()) await search.drop(index);
}

/** @throws {Error} which says what is there and does not answer, or that nothing is. */
async function start(service: Service): Promise<RunningService> {
  try {
    return await service.start();
  } catch (thrown) {
    const given = process.env[service.urlVariable] === undefined ? '' : ` (${service.urlVariable})`;
    throw new Error(`no ${service.name}${given}: ${messageOf(thrown)}`, { cause: thrown });
  }
}

function kafkaGiven(): string | null {
  const given = process.env['TEST_KAFKA_URL'] ?? '';
  if (given === '') return null;
  const address = readKafkaAddress(given);
  if ('expected' in address) throw new Error(`TEST_KAFKA_URL: expected ${address.expected}`);
  return given;
}

async function ownKafka(): ReturnType<typeof startCluster> {
  if (!(await canStartCluster())) throw new Error('A Kafka needs Java and Maven, or TEST_KAFKA_URL.');
  return await startCluster(1);
}

interface Naming {
  log(installation: Installation, name: string): Environment;
  documents(installation: Installation, name: string): Environment;
  /** Takes away what has names that begin so. */
  clear(own: string): Promise<void>;
}

function stageOf(installation: Installation, naming: Naming): Stage {
  // Services are shared: nothing of another stage may have these names.
  const own = `bench-${randomUUID().slice(0, 8)}`;
  const documents = (name: string): Environment => naming.documents(installation, `${own}-${name}`);
  return {
    installation,
    documents,
    env: { ...installation.env, ...documents('first'), ...naming.log(installation, `${own}-first`) },
    [Symbol.asyncDispose]: async () => {
      await installation[Symbol.asyncDispose]();
      await naming.clear(own);
    },
  };
}
