import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Parts } from '../../src/compose/parts.ts';
import { ENTRIES } from '../../src/events/entry-events.ts';
import type { CloudEvent } from '../../src/events/envelope.ts';
import { openSqliteLog } from '../../src/events/log/sqlite.ts';
import { structuredRecord } from '../../src/events/event-types.ts';
import { TOPICS, topicOf } from '../../src/events/event-types.ts';
import { PUBLIC_URL } from '../support/api.ts';
import { recordsIn } from '../support/archived-records.ts';
import { temporaryFolder } from '../support/folder.ts';
import { published } from '../support/events.ts';
import { disorderlyHistory } from '../support/histories.ts';
import { clearAway, EMBEDDED, modeOn } from '../support/mode.ts';
import type { Finished, Installation } from '../support/process.ts';
import { commandsHere } from '../support/run-here.ts';
import { sizeOf } from '../support/sizes.ts';
import { openParts } from '../support/parts.ts';
import { fakeClock } from '../support/test-clock.ts';
import { lagOf } from '../support/lag-of.ts';
import { words } from '../support/words.ts';

/**
 * The log of an embedded installation is archived and restored into Kafka. From then on every question about the past is
 * asked of both, and of a second Kafka that was restored from an archive of the first: the answers are the same.
 */
const EVENTS = sizeOf('SERVICES_EVENTS');
const SLUGS = Math.ceil(EVENTS / 50);
const DAY_MS = 86_400_000;
const BROKEN = 3;

const [mode, second] = [0, 1].map(() => modeOn('kafka', 'mongodb', 'meilisearch'));

describe.runIf(mode?.isHere && second?.isHere)(
  `archives, replays and histories of ${EVENTS} events on kafka, mongodb, meilisearch`,
  { timeout: 1_800_000 },
  () => {
    const folder = temporaryFolder();
    const [archive, archived] = [join(folder, 'archive'), join(folder, 'archived')];
    const began = Date.now() - 10 * DAY_MS;
    const instantOf = (day: number): string => new Date(began + day * DAY_MS).toISOString();
    const installations: Installation[] = [];
    const opened: Parts[] = [];
    let slugs: readonly string[];

    beforeAll(async () => {
      for (const one of [EMBEDDED, mode, second]) if (one) await install(one);
      await fillLog();
      await run(0, 'keep', 'archive', archive, '--json');
    }, 600_000);
    afterAll(async () => {
      for (const parts of opened.slice(1)) await clearAway(parts);
      for (const parts of opened) await parts[Symbol.asyncDispose]();
      for (const one of installations) await one[Symbol.asyncDispose]();
    });

    async function install(one: typeof EMBEDDED): Promise<void> {
      const installation = await one.install({ CATALOG_SAMPLE: 'off', CATALOG_PUBLIC_URL: PUBLIC_URL });
      installations.push(installation);
      opened.push(await openParts(installation.env));
    }

    /** Ten days of a log, the last of them an hour ago, with events that nobody can use. */
    async function fillLog(): Promise<void> {
      const [parts] = opened;
      if (!parts) throw new Error('nothing is installed');
      await parts.log.ensureTopics(TOPICS);
      await parts.identity();
      const clock = fakeClock(began);
      await using log = openSqliteLog(join(String(installations[0]?.env['CATALOG_DATA']), 'log.db'), {
        clock,
      });
      const events = disorderlyHistory({ entries: SLUGS, events: EVENTS - BROKEN, seed: 17 }).map(
        (line) => JSON.parse(line) as CloudEvent,
      );
      const broken = Array.from({ length: BROKEN }, (_, index) =>
        published({ subject: `broken-${index}`, kind: 'boat' }),
      );
      const ofEntries = events.filter(({ type }) => topicOf(type) === ENTRIES);
      slugs = [...new Set(ofEntries.map(({ subject }) => subject))].toSorted();
      const records = [...broken, ...events].map((event) => structuredRecord(event));
      const size = Math.ceil(records.length / 10);
      for (let start = 0; start < records.length; start += size) {
        await log.append(records.slice(start, start + size));
        clock.time += DAY_MS - 3_600_000;
      }
    }

    async function run(which: number, ...args: readonly string[]): Promise<Finished> {
      const installation = installations[which];
      if (!installation) throw new Error(`nothing is installed as number ${which}`);
      const finished = await commandsHere(installation)(args);
      expect(finished.code, `${args.join(' ')}: ${finished.stderr}`).toBe(0);
      return finished;
    }

    async function project(which: number, count: number): Promise<void> {
      const [installation, parts] = [installations[which], opened[which]];
      if (!installation || !parts) throw new Error(`nothing is installed as number ${which}`);
      for (let index = 0; index < count; index += 1)
        await installation.start(['project'], { ADMIN_PORT: '0' }).printed('Projecting.');
      await expect.poll(() => lagOf(parts), { timeout: 900_000, interval: 500 }).toBe(0);
      await expect
        .poll(() => verified(which), { timeout: 300_000, interval: 500 })
        .toMatchObject({ ok: true, search: [{ pending: { put: 0, remove: 0, confirm: 0 } }] });
    }

    /** What is the same for the same log: neither names nor instants of a run, nor the prefix of topics. */
    function comparable(which: number, stdout: string): unknown {
      const prefix = opened[which]?.topicName('') ?? '';
      const told = stdout
        .replaceAll(prefix === '' ? 'no prefix' : prefix, '')
        .replaceAll(BEGUN, 'begun then');
      return JSON.parse(told, (name, value: unknown) => (CHANCE.has(name) ? undefined : value));
    }

    async function verified(which: number): Promise<unknown> {
      const installation = installations[which];
      if (!installation) throw new Error(`nothing is installed as number ${which}`);
      const { stdout } = await commandsHere(installation)(['verify', '--json']);
      return comparable(which, stdout);
    }

    /** Asks both, or all three, and expects one answer. */
    async function same(...args: readonly string[]): Promise<unknown> {
      const answers = [];
      for (const which of [0, 1])
        answers.push(comparable(which, (await run(which, ...args, '--json')).stdout));
      expect(answers[1], args.join(' ')).toEqual(answers[0]);
      return answers[0];
    }

    test('an archive is restored into an empty Kafka: the same documents, by two projectors', async () => {
      const restored = await run(1, 'keep', 'restore', archive, '--json');
      expect(JSON.parse(restored.stdout)).toMatchObject({
        appended: EVENTS,
        before: 0,
        moved: 0,
        interrupted: false,
      });
      await project(0, 1);
      await project(1, 2);
      expect(await verified(1)).toEqual(await verified(0));
    });

    test('replays have the same documents, whatever bounds them', async () => {
      for (const [name, ...args] of [
        ['then', 'listings', '--until', instantOf(5)],
        ['since', 'listings', '--from', instantOf(7)],
        ['between', 'listings', '--from', instantOf(2), '--until', instantOf(6)],
        ['stored', 'listings', '--from-archive', archive],
        ['all', 'categories'],
      ] as const) {
        const made = await same('shadows', 'replay', ...args, '--into', name);
        expect(made).toMatchObject({ state: 'finished', documents: expect.any(Number) as number });
      }
      expect(await same('shadows', 'list')).toMatchObject({ shadows: { length: 5 } });
    });

    test('histories say the same, of an entry and of a moment', async () => {
      for (const slug of slugs.filter((_, index) => index % Math.ceil(slugs.length / 4) === 1)) {
        await same('history', slug);
        await same('history', slug, '--at', instantOf(5));
      }
    });

    test('Kafka is archived partition by partition, and restored into another Kafka', async () => {
      await run(1, 'keep', 'archive', archived, '--json');
      const [before, after] = [recordsIn(archive), recordsIn(archived)].map(withoutRejected);
      expect(after).toEqual(before);
      await run(1, 'keep', 'archive', archived, '--check');
      await run(2, 'keep', 'restore', archived, '--json');
      await project(2, 1);
      expect(await verified(2)).toEqual(await verified(0));
      const until = ['shadows', 'replay', 'listings', '--until', instantOf(5), '--into', 'again', '--json'];
      const fromLog = JSON.parse((await run(0, ...until)).stdout) as { readonly digest: string };
      expect(JSON.parse((await run(2, ...until)).stdout)).toMatchObject({ digest: fromLog.digest });
      const stored = await run(1, ...until, '--from-archive', archived);
      expect(JSON.parse(stored.stdout)).toMatchObject({ digest: fromLog.digest });
    });
  },
);

function withoutRejected(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => !line.startsWith('catalog.rejected'));
}

/** By the projector. */
const BEGUN = /begun at [\d:.TZ-]+/g;
const CHANCE = new Set(words('began_at made_at complete_since verified_at took_ms servers bytes'));
