import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { Admin } from 'kafkajs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { QuotaDay } from '../../src/access/quota/quota-day-document.ts';
import type { CloudEvent } from '../../src/events/envelope.ts';
import { composeKeys } from '../../src/compose/keys-and-accounts.ts';
import type { Parts } from '../../src/compose/parts.ts';
import { TOPICS } from '../../src/events/event-types.ts';
import { RetryableError } from '../../src/platform/errors.ts';
import { readSearchProgress } from '../../src/projecting/inspect/search-progress.ts';
import { listings } from '../../projections/listings/index.ts';
import { CATEGORIES, LISTINGS, MONITOR } from '../support/collections.ts';
import { disorderlyHistory } from '../support/histories.ts';
import { withAdmin } from '../support/kafka-log.ts';
import { clearAway, modeOn } from '../support/mode.ts';
import { freePort } from '../support/free-ports.ts';
import { type Installation, type Running } from '../support/process.ts';
import {
  canStartCluster,
  startCluster,
  type KafkaCluster,
  type KafkaNode,
} from '../support/services/kafka-cluster.ts';
import { startTraffic, type Traffic } from '../support/traffic.ts';
import { openParts } from '../support/parts.ts';
import { storedIn } from '../support/documents.ts';
import { lagOf } from '../support/lag-of.ts';

/** `STORM_EVENTS=1000000 npm run test:services -- storm` is a long run. */
const EVENTS = Number(process.env['STORM_EVENTS'] ?? 50_000);
const ENTRIES = Math.ceil(EVENTS / 50);

/** What happens to the projectors, in turn, while one part of the stream after the other comes in. */
const BLOWS = ['none', 'kill', 'stop', 'kill', 'join', 'kill', 'leave', 'stop'] as const;
/** Which node of Kafka is down meanwhile: each one once, and whichever is the active controller then. */
const DOWN = [null, 1, null, 2, null, 3, 'controller', null] as const;
/** Requests that a key may make in a day. */
const LIMIT = 1000;

const mode = modeOn('kafka', 'mongodb', 'meilisearch');

describe.runIf(mode.isHere)(
  'three projectors and two instances of the API, as processes of their own, on three brokers',
  () => {
    let cluster: KafkaCluster | undefined;
    let catalog: Installation;
    let parts: Parts;
    let projectors: Running[];
    let servers: readonly string[];
    let keys: readonly { readonly id: string; readonly key: string }[];
    let traffic: Traffic;
    const lines = disorderlyHistory({ entries: ENTRIES, events: EVENTS, seed: 11 });

    beforeAll(async () => {
      // Its own, where one can be had: other tests would miss the brokers that die here.
      if (await canStartCluster()) cluster = await startCluster(3);
      catalog = await mode.install({ CATALOG_SAMPLE: 'off' }, cluster);
      await catalog.catalog(['doctor', 'topics', '--create']);
      parts = await openParts(catalog.env);
      // All at once, where neither topics nor collections nor an index are yet.
      projectors = Array.from({ length: 3 }, startProjector);
      servers = await Promise.all([startServer(), startServer()]);
      await Promise.all(projectors.map((projector) => projector.printed('Projecting.')));
      keys = await makeKeys();
      traffic = startTraffic({ servers, readers: 2, paths: paths(), keys: keys.map(({ key }) => key) });
    });
    afterAll(async () => {
      await traffic.stop();
      await Promise.all(projectors.map((projector) => projector.stop()));
      await clearAway(parts);
      await parts[Symbol.asyncDispose]();
      await catalog[Symbol.asyncDispose]();
      await cluster?.[Symbol.asyncDispose]();
    });

    test(`${EVENTS} shuffled and duplicated events while projectors come, go and are killed, and brokers die: the documents and the index are what the log says`, async () => {
      const size = Math.ceil(lines.length / BLOWS.length);
      let busy = 0;
      for (const [part, blow] of BLOWS.entries()) {
        let isIn = false;
        const down = await crash(DOWN[part] ?? null);
        const publishing = publish(part, lines.slice(part * size, (part + 1) * size)).finally(() => {
          isIn = true;
        });
        busy += await strike(blow, () => isIn);
        await publishing;
        await down?.restart();
        await inStep();
        // A stream, not a flood: who reads is at most one part behind.
        await lagAtMost(size);
      }
      expect(busy).toBeGreaterThan(0);
      await lagAtMost(0);
      await expect
        .poll(
          async () =>
            (await readSearchProgress(listings, parts.documents, await parts.documents.now())).waiting,
          { timeout: 120_000 },
        )
        .toBe(0);
      const { code, stdout } = await catalog.catalog(['verify', '--json']);
      const verified = JSON.parse(stdout) as Verified;
      expect(verified, stdout).toMatchObject({ ok: true });
      expect(code).toBe(0);
      // Each event is one of theirs; other read models may be made of the same ones.
      const readers = new Set([LISTINGS, CATEGORIES, MONITOR]);
      const own = verified.read_models.filter(({ read_model }) => readers.has(read_model));
      expect(own.reduce((sum, { records }) => sum + records, 0)).toBe(EVENTS);
      expect(verified.search[0]?.entries).toBeGreaterThan(0);
      const status = JSON.parse((await catalog.catalog(['status', '--json'])).stdout) as Status;
      expect(status.parked).toBe(0);
      expect(status.findings.filter((finding) => finding.code === 'halted')).toEqual([]);
    }, 600_000);

    test('readers of both instances saw no failure all the while', async () => {
      await traffic.stop();
      expect(traffic.failures).toEqual([]);
      expect(Object.keys(traffic.statuses)).toEqual(expect.arrayContaining(['200', '404', '429']));
    });

    test('a key that both instances served got exactly its day, and so did the others', async () => {
      for (const { id, key } of keys) {
        for (const server of servers) while ((await traffic.ask(server, '/categories', key)) !== 429);
        expect(traffic.counted(key)).toBe(LIMIT);
        expect(await taken(id)).toBe(LIMIT);
      }
    });

    async function crash(which: number | 'controller' | null): Promise<KafkaNode | null> {
      if (!cluster || which === null) return null;
      const node = which === 'controller' ? await cluster.controller() : cluster.nodes[which - 1];
      await node?.crash();
      return node ?? null;
    }

    /** Resolves once every replica has what its leader has: one more may die then. */
    async function inStep(): Promise<void> {
      const { logUrl } = parts.config;
      if (!cluster || logUrl.scheme !== 'kafka') return;
      const topics = TOPICS.map(({ name }) => parts.topicName(name));
      const replicas = cluster.nodes.length;
      await expect
        .poll(() => withAdmin((admin) => fewestInStep(admin, topics), logUrl), { timeout: 120_000 })
        .toBe(replicas);
    }

    function startProjector(): Running {
      return catalog.start(['project'], { ADMIN_PORT: '0' });
    }

    async function startServer(): Promise<string> {
      const port = String(await freePort());
      await catalog.start(['serve'], { PORT: port, ADMIN_PORT: '0' }).printed('Serving');
      return `http://127.0.0.1:${port}/api/v1`;
    }

    async function makeKeys() {
      const made = await composeKeys(parts);
      const created = await Promise.all(['one', 'two', 'three'].map((account) => made.create(account)));
      return created.map((one) => {
        if (one.outcome !== 'created') throw new Error(`No key: ${one.outcome}`);
        return one;
      });
    }

    /** Pages of the catalog that is coming in; one that never comes. */
    function paths(): readonly string[] {
      const events = lines.slice(0, 2000).map((line) => JSON.parse(line) as CloudEvent);
      const slugs = events
        .filter(({ type }) => type.startsWith('catalog.entry.'))
        .map(({ subject }) => subject);
      return [
        '/search?q=a&locale=en',
        '/top?limit=20',
        '/categories',
        '/status',
        '/listings/never-published',
        ...slugs.slice(0, 10).map((slug) => `/listings/${slug}`),
      ];
    }

    async function publish(part: number, events: readonly string[]): Promise<void> {
      const file = join(catalog.folder, `part-${part}.ndjson`);
      writeFileSync(file, events.join('\n'));
      const { code, stdout, stderr } = await catalog.catalog(['publish', file, '--json']);
      expect(code, stderr).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ appended: events.length });
    }

    /** Strikes as soon as there is work, or a part is in as a whole. Says whether some was left after the blow. */
    async function strike(blow: (typeof BLOWS)[number], isIn: () => boolean): Promise<number> {
      if (blow === 'none') return 0;
      if (blow === 'join') {
        projectors.push(startProjector());
        return 0;
      }
      while ((await lag()) === 0 && !isIn()) await delay(5);
      const [victim, ...others] = projectors;
      if (!victim) throw new Error('There is no projector');
      await victim.printed('Projecting.');
      const code = await victim.stop(blow === 'kill' ? 'SIGKILL' : 'SIGTERM');
      expect(code).toBe(blow === 'kill' ? null : 0);
      projectors = blow === 'leave' ? others : [...others, startProjector()];
      return (await lag()) > 0 ? 1 : 0;
    }

    async function lag(): Promise<number> {
      for (;;) {
        try {
          return await lagOf(parts);
        } catch (thrown) {
          // The leader of some partition has just died.
          if (!(thrown instanceof RetryableError)) throw thrown;
        }
      }
    }

    async function lagAtMost(most: number): Promise<void> {
      while ((await lag()) > most) await delay(20);
    }

    /** What the store counts as taken by a key. */
    async function taken(keyId: string): Promise<number> {
      const days = await storedIn<QuotaDay>(parts.documents, 'quota');
      const shares = days
        .filter(({ body }) => Object.values(body.uses).some((uses) => Object.hasOwn(uses, keyId)))
        .flatMap(({ body }) => Object.values(body.shares));
      return shares.reduce((sum, share) => sum + share, 0);
    }
  },
);

async function fewestInStep(admin: Admin, names: readonly string[]): Promise<number> {
  const { topics } = await admin.fetchTopicMetadata({ topics: [...names] });
  return Math.min(...topics.flatMap(({ partitions }) => partitions.map(({ isr }) => isr.length)));
}

interface Status {
  readonly parked: number;
  readonly findings: readonly { readonly code: string }[];
}

interface Verified {
  readonly read_models: readonly { readonly read_model: string; readonly records: number }[];
  readonly search: readonly { readonly entries: number }[];
}
