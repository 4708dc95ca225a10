import { mkdtemp, rm, writeFile, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';

import { freePorts } from '../free-ports.ts';
import { cached, fetchJars, has, startJava, type JavaProcess } from './java.ts';
import { nodeSettings, type NodePlace } from './kafka-settings.ts';
import { ADMIN, passwordOf, scramOf, USERS, type KafkaUser } from './kafka-users.ts';
import { makeCertificates } from './certificates.ts';

export const KAFKA_VERSION = '4.3.1';

/**
 * A real Apache Kafka on this machine, from the artifacts on Maven Central: each node is a broker and a controller.
 * Clients come in by TLS and SCRAM-SHA-512, and may do what an access control list grants them.
 */
export interface KafkaCluster extends AsyncDisposable {
  /** `kafka://USER:PASSWORD@HOST:PORT,...` of a user, all nodes named. */
  url(user?: KafkaUser): string;
  readonly nodes: readonly KafkaNode[];
  /** The node that is the active controller now. */
  controller(): Promise<KafkaNode>;
}

export interface KafkaNode {
  readonly id: number;
  /** SIGKILL: a crash. */
  crash(): Promise<void>;
  /** Starts again where it was: same ports, same data. Resolves once it serves. */
  restart(): Promise<void>;
}

/** Whether this machine can run one. */
export function canStartCluster(): Promise<boolean> {
  return has('java', 'mvn');
}

/** Resolves once every node serves. `settings` are added to those of each node. */
export async function startCluster(
  count: 1 | 3,
  settings: Readonly<Record<string, string>> = {},
): Promise<KafkaCluster> {
  const jars = await cached('kafka', [KAFKA_VERSION], (folder) => fetchJars(folder, ARTIFACTS));
  const folder = await mkdtemp(join(tmpdir(), 'catalog-kafka-'));
  const certificates = await makeCertificates(folder);
  const java = ['-Djava.net.preferIPv4Stack=true', ...LOGGING, '-cp', join(jars, 'lib', '*')];
  const clusterId = newClusterId();
  const ports = await freePorts(3 * count);
  const places: readonly NodePlace[] = Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    folder: join(folder, `node-${index + 1}`),
    clients: Number(ports[3 * index]),
    brokers: Number(ports[3 * index + 1]),
    controllers: Number(ports[3 * index + 2]),
  }));
  const nodes = await Promise.all(
    places.map(async (place) => {
      const properties = join(folder, `node-${place.id}.properties`);
      const all = { ...nodeSettings(place, places, certificates), ...settings };
      const lines = Object.entries(all).map(([name, value]) => `${name}=${value}\n`);
      await writeFile(properties, lines.join(''));
      const users = USERS.flatMap((user) => ['--add-scram', scramOf(user)]);
      const format = ['format', '--cluster-id', clusterId, '--config', properties, ...users];
      const tool = ['-Xmx128m', ...java, 'kafka.tools.StorageTool', ...format];
      const formatted = await startJava(tool, /Formatting/);
      await formatted.gone;
      return createNode(place.id, () =>
        startJava(['-Xms128m', '-Xmx512m', ...java, 'kafka.Kafka', properties], /Kafka Server started/),
      );
    }),
  );
  // A quorum forms among those that are there: each waits for the others.
  await Promise.all(nodes.map((node) => node.restart()));
  const hosts = places.map(({ clients }) => `localhost:${clients}`).join(',');
  return {
    url: (user = ADMIN) =>
      `kafka://${user}:${passwordOf(user)}@${hosts}?tls=true&ca=${encodeURIComponent(certificates.ca)}`,
    nodes,
    controller: async () => {
      const id = await activeController(places.map((place) => place.folder));
      const node = nodes.find((one) => one.id === id);
      if (!node) throw new Error(`No node of the cluster is the controller: ${id}`);
      return node;
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()));
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

function createNode(id: number, start: () => Promise<JavaProcess>): KafkaNode & AsyncDisposable {
  let running: JavaProcess | null = null;
  return {
    id,
    crash: async () => {
      running?.kill('SIGKILL');
      await running?.gone;
    },
    restart: async () => {
      running = await start();
    },
    // Nothing of it is kept: there is no need to wait until it has handed over its partitions.
    [Symbol.asyncDispose]: async () => {
      running?.kill('SIGKILL');
      await running?.gone;
    },
  };
}

const ARTIFACTS = [
  { group: 'org.apache.kafka', name: 'kafka_2.13', version: KAFKA_VERSION },
  { group: 'org.slf4j', name: 'slf4j-simple', version: '1.7.36' },
];

const LOGGING = [
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=error',
  // Says when it is ready.
  '-Dorg.slf4j.simpleLogger.log.kafka.server.KafkaRaftServer=info',
];

/** Kafka's form of an id. One that begins with a dash would be taken for an option. */
function newClusterId(): string {
  const id = Buffer.from(randomUUID().replaceAll('-', ''), 'hex').toString('base64url');
  return `C${id.slice(1)}`;
}

/** Which node leads the quorum of controllers, by the newest word of any: each keeps it in a file. */
async function activeController(folders: readonly string[]): Promise<number> {
  const states = await Promise.all(
    folders.map(async (folder) => {
      const file = join(folder, '__cluster_metadata-0/quorum-state');
      return JSON.parse(await readFile(file, 'utf8')) as QuorumState;
    }),
  );
  const newest = states.reduce((a, b) => (b.leaderEpoch > a.leaderEpoch ? b : a));
  return newest.leaderId;
}

interface QuorumState {
  /** -1 while an election is under way. */
  readonly leaderId: number;
  readonly leaderEpoch: number;
}
