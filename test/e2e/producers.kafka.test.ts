import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';

import { openKafkaLog } from '../../src/events/log/kafka.ts';
import { TOPICS } from '../../src/events/event-types.ts';
import { kafkaAddress, openKafka, withAdmin } from '../support/kafka-log.ts';
import { grantAsDeployed } from '../support/kafka-rights.ts';
import { freshName, readTopic, textOf } from '../support/log-fixture.ts';
import { cached, has } from '../support/services/java.ts';
import { passwordOf } from '../support/services/kafka-users.ts';
import { createDecoder } from '../../src/events/decode.ts';
import { EVENT_TYPES } from '../../src/events/event-types.ts';

/** The producers that the guide offers, copied and run as the user that the deploy guide makes for them. */

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'docs/guides/publish-to-kafka.md'), 'utf8');
const kafka = inject('services')['kafka'];
const knowsUsers = kafka !== undefined && kafka.url !== null && kafka.from === 'registry';
const CONFLUENT = 'confluent-kafka==2.16.1';

describe.runIf(knowsUsers)('a producer of one’s own', async () => {
  const prefix = `${freshName()}.`;
  const topics = TOPICS.map((topic) => ({ ...topic, name: `${prefix}${topic.name}` }));
  const python = await pythonClient();

  beforeAll(async () => {
    await grantAsDeployed(prefix);
    await using log = openKafkaLog(kafkaAddress());
    await log.ensureTopics(topics);
  });
  afterAll(() => withAdmin((admin) => admin.deleteTopics({ topics: topics.map(({ name }) => name) })));

  test('in Node publishes an event that a projector takes', async () => {
    await publish('js', 'publish.mjs', process.execPath);
    await arrived('from-node');
  });

  test.skipIf(python === null)('in Python publishes an event that a projector takes', async () => {
    await publish('python', 'publish.py', 'python3', { PYTHONPATH: python ?? '' });
    await arrived('from-python');
  });

  /** Runs a sample of the guide as it stands there. */
  async function publish(
    language: string,
    name: string,
    command: string,
    env: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const [, sample = ''] = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(guide) ?? [];
    const { brokers, tls } = kafkaAddress();
    // Beside node_modules, where an import finds its package.
    const file = join(root, 'node_modules', `.guide-${process.pid}-${name}`);
    writeFileSync(file, sample);
    onTestFinished(() => rmSync(file));
    await run(command, [file], {
      env: {
        PATH: process.env['PATH'] ?? '',
        KAFKA_BROKERS: brokers.join(','),
        KAFKA_CA: tls?.ca ?? '',
        KAFKA_USERNAME: 'publisher',
        KAFKA_PASSWORD: passwordOf('publisher'),
        TOPIC_PREFIX: prefix,
        ...env,
      },
    });
  }

  async function arrived(subject: string): Promise<void> {
    const records = await readTopic(openKafka(), `${prefix}catalog.entries`);
    const record = records.find(({ key }) => key === subject);
    if (!record) throw new Error(`Nothing of ${subject} among ${records.map(textOf).join()}`);
    const decode = createDecoder(EVENT_TYPES, { topicPrefix: prefix });
    expect(decode(record)).toMatchObject({ outcome: 'event', event: { subject } });
  }
});

/** A folder with the Python client; null where this machine cannot have it. */
async function pythonClient(): Promise<string | null> {
  if (!knowsUsers || !(await has('python3'))) return null;
  return await cached('python-kafka', [CONFLUENT], async (folder) => {
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
    await run('python3', [...pip, '--target', folder, CONFLUENT]);
  }).catch((thrown: unknown) => {
    process.stdout.write(`The Python sample is NOT RUN: ${String(thrown).split('\n')[0]}\n`);
    return null;
  });
}
