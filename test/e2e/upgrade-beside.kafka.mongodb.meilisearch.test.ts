import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { compose, type Parts } from '../../src/compose/parts.ts';
import { readConfig } from '../../src/config.ts';
import { REJECTED } from '../../src/events/types.ts';
import { CHECKPOINTS, type Checkpoint } from '../../src/projecting/engine/lane.ts';
import { readProgress } from '../../src/projecting/inspect/progress.ts';
import { readBuild } from '../../src/stores/builds.ts';
import { readAlias } from '../../src/stores/live.ts';
import { readWorkers } from '../../src/stores/workers.ts';
import { nextRelease } from '../support/changed-release.ts';
import { LISTINGS, NEXT_LISTINGS } from '../support/collections.ts';
import { published } from '../support/events.ts';
import { disorderlyHistory } from '../support/histories.ts';
import { kafkaAddress, withAdmin } from '../support/kafka-log.ts';
import { grantReading } from '../support/kafka-rights.ts';
import { clearAway, knowsKafkaUsers, modeOn } from '../support/mode.ts';
import { freePort } from '../support/free-ports.ts';
import { patiently } from '../support/patiently.ts';
import { type Finished, type Installation, type Running } from '../support/process.ts';
import { commandsHere } from '../support/run-here.ts';
import { manyKeys } from '../support/scored-entries.ts';
import { passwordOf } from '../support/services/kafka-users.ts';
import { sizeOf } from '../support/sizes.ts';

/**
 * Three deployments on one log of Kafka: production, which is upgraded; staging, with documents and indexes of its own on
 * the same services, which announces nothing; and an analyst's, with files of its own, that may only read the log.
 * Neither notices another one. Each test goes on where the one before has ended.
 */
const EVENTS = sizeOf('SERVICES_EVENTS');
const [mode, staged, analysed] = [
  modeOn('kafka', 'mongodb', 'meilisearch'),
  modeOn('kafka', 'mongodb', 'meilisearch'),
  modeOn('kafka'),
];
const READER = { CATALOG_LOG_USERNAME: 'stranger', CATALOG_LOG_PASSWORD: passwordOf('stranger') };

describe.runIf(mode.isHere)(
  `three deployments on one Kafka, while one is upgraded over ${EVENTS} events`,
  { timeout: 900_000 },
  () => {
    /** Only a Kafka that the tests start knows users. */
    const knowsUsers = knowsKafkaUsers();
    let production: Deployment;
    let staging: Deployment;
    let analyst: Deployment;
    let release: string;
    let broken = 0;
    const projectors: Running[] = [];
    let stagingProjector: Running;
    let analystHere: Running;

    beforeAll(async () => {
      release = (await nextRelease()).folder;
      production = await deploy(mode, {});
      const shared = { CATALOG_TOPIC_PREFIX: String(production.catalog.env['CATALOG_TOPIC_PREFIX']) };
      staging = await deploy(staged, { ...shared, CATALOG_REJECTIONS: 'off' });
      analyst = await deploy(analysed, knowsUsers ? shared : { ...shared, CATALOG_REJECTIONS: 'off' });
      if (knowsUsers) await grantReading('stranger', shared.CATALOG_TOPIC_PREFIX);
    });
    afterAll(async () => {
      for (const { catalog, parts } of [analyst, staging, production]) {
        await clearAway(parts, { keepsLog: parts !== production.parts });
        await parts[Symbol.asyncDispose]();
        await catalog[Symbol.asyncDispose]();
      }
    });

    test('each projects everything; what cannot be used is announced once, by production', async () => {
      for (let index = 0; index < 2; index += 1) projectors.push(await project(production));
      stagingProjector = await project(staging);
      analystHere = analyst.catalog.start(['start'], { ...(knowsUsers ? READER : {}), ADMIN_PORT: '0' });
      await analystHere.printed('Ctrl-C stops.');
      await serve(staging);
      await publish(disorderlyHistory({ entries: Math.ceil(EVENTS / 50), events: EVENTS, seed: 19 }));
      await publishBroken();
      await allCaughtUp();
      await announcedOnce();
    });

    test.runIf(knowsUsers)('one that may not write there says so once, and goes on', async () => {
      const { code, stdout } = await analyst.run(['status', '--json']);
      expect({ code, stdout }).toMatchObject({
        stdout: expect.stringMatching(/catalog\.rejected/) as string,
      });
    });

    test('staging is killed and started again while production begins to upgrade: the lanes of others stay', async () => {
      await hasClaimed(production, projectors);
      await hasClaimed(analyst, [analystHere]);
      const before = [await claimsOf(production), await claimsOf(analyst)];
      const groups = await membersOf(production);
      const asked = await staging.ask('/top');
      await stagingProjector.stop('SIGKILL');
      await publishBroken();
      stagingProjector = await project(staging);
      await allCaughtUp();
      expect([await claimsOf(production), await claimsOf(analyst)]).toEqual(before);
      expect(await membersOf(production)).toEqual(groups);
      expect(await staging.ask('/top')).toEqual({ ...asked, remaining: asked.remaining - 1 });
      await announcedOnce();
    });

    test('production is upgraded, cut over and rolled back: staging and the analyst keep lanes, builds and answers', async () => {
      await hasClaimed(staging, [stagingProjector]);
      const before = [await claimsOf(staging), await claimsOf(analyst)];
      const groups = await membersOf(staging);
      const asked = await staging.ask('/top');
      for (const [index, projector] of projectors.entries()) {
        await projector.stop();
        projectors[index] = await project(production, release);
      }
      await expect
        .poll(
          async () => (await readBuild(production.parts.documents, NEXT_LISTINGS))?.completed_at ?? null,
          {
            timeout: 600_000,
          },
        )
        .not.toBeNull();
      await publishBroken();
      await succeed(production, ['cut-over', 'listings'], release);
      expect((await readAlias(production.parts.documents, 'listings'))?.collection).toBe(NEXT_LISTINGS);
      await allCaughtUp();
      for (const one of [staging, analyst])
        expect((await readAlias(one.parts.documents, 'listings'))?.collection).toBe(LISTINGS);
      expect([await claimsOf(staging), await claimsOf(analyst)]).toEqual(before);
      expect(await membersOf(staging)).toEqual(groups);
      expect(await staging.ask('/top')).toEqual({ ...asked, remaining: asked.remaining - 1 });
      await succeed(production, ['rollback', 'listings'], release);
      await announcedOnce();
    });

    test('each of them is what the log says, and is where the log ends', async () => {
      await allCaughtUp();
      await succeed(production, ['verify'], release);
      await succeed(staging, ['verify']);
      await succeed(analyst, ['verify']);
      expect(await viewsOf(staging)).toBe(await viewsOf(production));
    });

    async function publish(lines: readonly string[]): Promise<void> {
      const { code, stderr } = await production.run(['publish', '-'], { input: lines.join('\n') });
      expect(code, stderr).toBe(0);
    }

    /** One that no read model can use: another producer wrote it, for "publish" would refuse it. */
    async function publishBroken(): Promise<void> {
      broken += 1;
      const event = published({ subject: `broken-${broken}`, kind: 'boat' });
      const topic = production.parts.topicName('catalog.entries');
      const headers = { 'content-type': 'application/cloudevents+json' };
      await production.parts.log.append([
        { topic, key: event.subject, value: Buffer.from(JSON.stringify(event)), headers },
      ]);
    }

    async function allCaughtUp(): Promise<void> {
      for (const { parts } of [production, staging, analyst]) {
        const lag = async () => (await readProgress(parts)).reduce((sum, lane) => sum + lane.lag, 0);
        await expect.poll(lag, { timeout: 600_000, interval: 500 }).toBe(0);
      }
    }

    /** Each of the read models that are made of entries announces what it cannot use. */
    async function announcedOnce(): Promise<void> {
      const rejected = await rejectedIn(production);
      const told = rejected.map(({ read_model, subject }) => `${read_model} ${subject}`).toSorted();
      expect(told).toEqual([...new Set(told)]);
      expect(new Set(rejected.map(({ subject }) => subject)).size).toBe(broken);
    }
  },
);

interface Rejection {
  readonly read_model: string;
  readonly subject: string;
}

/** What upstream reads. */
async function rejectedIn({ parts: { log, topicName } }: Deployment): Promise<readonly Rejection[]> {
  const topic = topicName(REJECTED);
  const found: Rejection[] = [];
  for (const { partition, earliest: from, latest: to } of await log.ends(topic))
    for await (const { records } of log.read({ topic, partition, from, to }))
      for (const { value } of records)
        found.push((JSON.parse(String(Buffer.from(value ?? []))) as { readonly data: Rejection }).data);
  return found;
}

interface Deployment {
  readonly catalog: Installation;
  readonly parts: Parts;
  readonly run: Installation['catalog'];
  ask(path: string): Promise<{ readonly status: number; readonly remaining: number }>;
}

async function deploy(
  one: ReturnType<typeof modeOn>,
  env: Readonly<Record<string, string>>,
): Promise<Deployment> {
  const catalog = await one.install({ CATALOG_SAMPLE: 'off', PORT: String(await freePort()), ...env });
  const parts = await compose(readConfig(catalog.env), 'test');
  const [key = ''] = await manyKeys(parts, 1);
  return {
    catalog,
    parts,
    run: commandsHere(catalog),
    ask: async (path) => {
      const url = `http://127.0.0.1:${catalog.env['PORT']}/api/v1${path}`;
      const response = await patiently(() => fetch(url, { headers: { 'x-api-key': key } }));
      await response.arrayBuffer();
      return { status: response.status, remaining: Number(response.headers.get('x-ratelimit-remaining')) };
    },
  };
}

async function project({ catalog }: Deployment, release?: string): Promise<Running> {
  const running = catalog.start(['project'], { ADMIN_PORT: '0' }, release);
  await running.printed('Projecting.');
  return running;
}

async function serve({ catalog }: Deployment): Promise<void> {
  await catalog.start(['serve'], { ADMIN_PORT: '0' }).printed('Serving');
}

async function succeed(
  { catalog, run }: Deployment,
  args: readonly string[],
  release?: string,
): Promise<Finished> {
  const finished = await (release === undefined ? run(args) : catalog.catalog(args, { release }));
  expect(finished.code, `${args.join(' ')}: ${finished.stdout}${finished.stderr}`).toBe(0);
  return finished;
}

/** Who has claimed each lane of what is live, and how often it was claimed. */
async function claimsOf({ parts }: Deployment): Promise<Readonly<Record<string, string>>> {
  const lanes = (await Array.fromAsync(parts.documents.scan<Checkpoint>(CHECKPOINTS.name))).flat();
  return Object.fromEntries(lanes.map(({ id, body }) => [id, `${body.epoch} ${body.owner}`]));
}

/** Waits until these projectors share the lanes of each read model: one without news is caught up before it is claimed. */
async function hasClaimed({ parts }: Deployment, projectors: readonly Running[]): Promise<void> {
  const pids = projectors.map(({ child }) => String(child.pid)).toSorted();
  const owners = async (): Promise<readonly string[][]> => {
    const workers = await readWorkers(parts.documents);
    const lanes = (await Array.fromAsync(parts.documents.scan<Checkpoint>(CHECKPOINTS.name))).flat();
    const shared = Map.groupBy(lanes, ({ body }) => body.readModel);
    return [...shared.values()].map((own) =>
      [
        ...new Set(own.map(({ body }) => workers.get(body.owner)?.where.split(':').at(-1) ?? 'nobody')),
      ].toSorted(),
    );
  };
  await expect.poll(owners, { interval: 500 }).toEqual([pids, pids, pids]);
}

/** The members of its groups: one that had to join again would be another one. */
async function membersOf({ parts }: Deployment): Promise<readonly string[]> {
  const identity = await parts.identity();
  const ids = await withAdmin(async (admin) => {
    const { groups } = await admin.listGroups();
    const own = groups.map(({ groupId }) => groupId).filter((id) => id.endsWith(`.${identity}`));
    expect(own.length).toBeGreaterThan(0);
    return (await admin.describeGroups(own)).groups.flatMap(({ groupId, members }) =>
      members.map(({ memberId }) => `${groupId} ${memberId}`),
    );
  }, kafkaAddress());
  return ids.toSorted();
}

async function viewsOf({ parts }: Deployment): Promise<string> {
  const lines: string[] = [];
  for await (const batch of parts.documents.scan<{ readonly view: object }>(LISTINGS))
    for (const { id, body } of batch) lines.push(`${id} ${JSON.stringify(body.view)}`);
  return lines.toSorted().join('\n');
}
