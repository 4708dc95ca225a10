import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryFolder } from '../folder.ts';
import { cached, fetchJars } from '../services/java.ts';
import { KAFKA_VERSION } from '../services/kafka-cluster.ts';
import { install as installMongoStandIn } from '../services/mongodb-stand-in/start.ts';
import { root, type Engine } from './engine.ts';

/** The images of docker-compose.yml that are not ours: as they are where they can be had, else what stands in for them. */

/** A variable of docker-compose.yml, and the image that it gets. */
export interface ForeignImage {
  readonly variable: string;
  readonly image: string;
  readonly isStandIn: boolean;
}

interface Foreign {
  readonly variable: string;
  /** The variable that names an image of this machine from which the stand-in is made. */
  readonly base: string;
  /** Fills a folder with what the stand-in's image is made of. */
  readonly fill: (folder: string, base: string) => Promise<void>;
}

/** The tag of every stand-in, by which one that was built before is known. */
const STAND_IN = ':stand-in';

const FOREIGN: readonly Foreign[] = [
  { variable: 'KAFKA_IMAGE', base: 'TEST_BASE_JAVA', fill: fillKafka },
  { variable: 'MONGODB_IMAGE', base: 'TEST_BASE_JAVA', fill: fillMongo },
  { variable: 'MEILISEARCH_IMAGE', base: 'TEST_BASE_NODE', fill: fillMeilisearch },
  { variable: 'HAPROXY_IMAGE', base: 'TEST_BASE_HAPROXY', fill: fillHaproxy },
];

/** Every foreign image, or why one of them is missing. */
export async function foreignImages(
  engine: Engine,
  compose: string,
): Promise<readonly ForeignImage[] | string> {
  const images: ForeignImage[] = [];
  for (const { variable, base, fill } of FOREIGN) {
    const preset = new RegExp(`\\$\\{${variable}:-([^}]+)\\}`).exec(compose)?.[1] ?? '';
    const { [variable]: given = preset, [base]: from } = process.env;
    if (await isHere(engine, given))
      images.push({ variable, image: given, isStandIn: given.endsWith(STAND_IN) });
    else if (from === undefined)
      return `${given} cannot be had, and ${base} names no image to make a stand-in of`;
    else images.push({ variable, image: await build(engine, variable, from, fill), isStandIn: true });
  }
  return images;
}

async function isHere(engine: Engine, image: string): Promise<boolean> {
  if ((await engine.run('image', 'inspect', image)).code === 0) return true;
  return (await engine.run('pull', '--quiet', image)).code === 0;
}

async function build(engine: Engine, variable: string, from: string, fill: Foreign['fill']): Promise<string> {
  const folder = temporaryFolder();
  await fill(folder, from);
  const tag = `localhost/catalog-test/${variable.toLowerCase()}${STAND_IN}`;
  await engine.build(tag, folder);
  return tag;
}

/** The real broker, from the artifacts on Maven Central, where the image has it. */
async function fillKafka(folder: string, base: string): Promise<void> {
  const artifacts = ['kafka_2.13', 'kafka-tools'].map((name) => ({
    group: 'org.apache.kafka',
    name,
    version: KAFKA_VERSION,
  }));
  const logging = { group: 'org.slf4j', name: 'slf4j-simple', version: '1.7.36' };
  const jars = await cached('kafka-with-tools', [KAFKA_VERSION], (into) =>
    fetchJars(into, [...artifacts, logging]),
  );
  await cp(join(jars, 'lib'), join(folder, 'lib'), { recursive: true });
  const java = `exec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dorg.slf4j.simpleLogger.defaultLogLevel=warn $KAFKA_HEAP_OPTS -cp '/opt/kafka/lib/*'`;
  await script(folder, 'bin/kafka-configs.sh', `${java} kafka.admin.ConfigCommand "$@"`);
  await script(folder, 'bin/kafka-acls.sh', `${java} org.apache.kafka.tools.AclCommand "$@"`);
  await script(
    folder,
    'bin/kafka-broker-api-versions.sh',
    `${java} org.apache.kafka.tools.BrokerApiVersionsCommand "$@"`,
  );
  const settings = '/mnt/shared/config/server.properties';
  await script(
    folder,
    'run',
    `(${java} kafka.tools.StorageTool format --ignore-formatted --cluster-id "$CLUSTER_ID" --config ${settings})\n${java} kafka.Kafka ${settings}`,
  );
  await containerfile(folder, [
    `FROM ${base}`,
    'RUN useradd --uid 1000 appuser && install -d -o 1000 -g 1000 /var/lib/kafka/data',
    'COPY . /opt/kafka/',
    'USER 1000',
    'ENTRYPOINT ["/opt/kafka/run"]',
  ]);
}

async function fillMongo(folder: string, base: string): Promise<void> {
  const installed = await installMongoStandIn();
  for (const part of ['lib', 'classes'])
    await cp(join(installed, part), join(folder, part), { recursive: true });
  // What the health check asks: whether somebody listens under this name.
  await script(folder, 'mongosh', 'exec bash -c "exec 3<>/dev/tcp/mongodb/27017"');
  await containerfile(folder, [
    `FROM ${base}`,
    'RUN install -d -o 999 -g 999 /data/db /data/configdb',
    'COPY . /stand-in/',
    'ENV PATH=/usr/bin:/bin:/stand-in',
    'ENTRYPOINT ["java", "-XX:+UseSerialGC", "-Xmx512m", "-cp", "/stand-in/classes:/stand-in/lib/*", "StandIn", "27017", "0.0.0.0"]',
  ]);
}

async function fillMeilisearch(folder: string, base: string): Promise<void> {
  const paths = ['support/services/meilisearch-stand-in', 'support/loopback.ts', 'compose/meilisearch.ts'];
  for (const path of paths)
    await cp(join(root, 'test', path), join(folder, 'test', path), { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await script(
    folder,
    'wget',
    `exec node --eval "fetch(process.argv.at(-1)).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))" -- "$@"`,
  );
  await containerfile(folder, [
    `FROM ${base}`,
    'RUN install -d /meili_data',
    'COPY . /stand-in/',
    'ENV PATH=/usr/local/bin:/usr/bin:/bin:/stand-in',
    'ENTRYPOINT ["node", "/stand-in/test/compose/meilisearch.ts"]',
  ]);
}

/** The base has a HAProxy of its own, and starts it as the image does. */
async function fillHaproxy(folder: string, base: string): Promise<void> {
  await containerfile(folder, [`FROM ${base}`]);
}

async function script(folder: string, name: string, text: string): Promise<void> {
  await mkdir(join(folder, name, '..'), { recursive: true });
  await writeFile(join(folder, name), `#!/bin/sh\nset -e\n${text}\n`, { mode: 0o755 });
}

async function containerfile(folder: string, lines: readonly string[]): Promise<void> {
  await writeFile(join(folder, 'Dockerfile'), `${lines.join('\n')}\n`);
}

/** docker-compose.yml, for the images that it names. */
export async function composeText(): Promise<string> {
  return await readFile(join(root, 'docker-compose.yml'), 'utf8');
}
