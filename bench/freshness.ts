import { setTimeout as pause } from 'node:timers/promises';

import { compose, type Parts } from '../src/compose/parts.ts';
import { readConfig } from '../src/config.ts';
import { ENTRIES as TOPIC } from '../src/events/entry-events.ts';
import { structuredRecord } from '../src/events/event-types.ts';
import type { Assignment } from '../src/events/log/port.ts';
import { newVersion } from '../src/stores/documents/port.ts';
import { published } from '../test/support/events.ts';
import { manyKeys } from '../test/support/many-keys.ts';
import { fillCatalog } from './catalog.ts';
import type { Entry } from './filling.ts';
import { requireAnswered, startLoad } from './load/generator.ts';
import { informing, shown, type Benchmark, type BenchmarkOptions, type Figure } from './report.ts';
import { sizeOr } from './size.ts';
import { percentile } from './statistics.ts';

/**
 * How long an event takes to be seen by readers, while others keep the API busy; beside the least that a log and a store
 * allow: a consumer that writes one document for each event, and an entry that is put into an index and waited for.
 */
export const freshness: Benchmark = {
  name: 'P9',
  title: 'From an event to a listing and a hit',
  on: 'both',
  run,
};

const SIZE = sizeOr({ entries: 5000, events: 15_000 });
const SAMPLES = 100;
const CAPACITY_MS = 3000;
const SHARE = 0.3;
/** Each may ask a thousand times a day. */
const LOAD_KEYS = 1000;
const LOOKING_KEYS = 100;
const LOOK_MS = 5;
const GIVEN_UP_MS = 60_000;
/** How long a copy in memory may go without being confirmed. */
const CONFIRMATION_MS = 1000;
const GOAL = 2;
const FAILS = 4;
/** Above every revision that is simulated. */
const REVISION = 1_000_000;

async function* run({ stores, say }: BenchmarkOptions): AsyncGenerator<readonly Figure[]> {
  await using stage = await stores.install();
  const { env, installation } = stage;
  const entries = await fillCatalog(stage, { ...SIZE, say });
  const service = await installation.started(env);
  const config = readConfig(env);
  await using parts = await compose(config, 'bench');
  const api = {
    base: `http://127.0.0.1:${config.port}/api/v1`,
    keys: await manyKeys(parts, LOOKING_KEYS, 'looking'),
  };
  const asked = (await manyKeys(parts, LOAD_KEYS)).map((key, index) => ({
    path: `/api/v1/listings/${entries[index % entries.length]?.slug}`,
    headers: { 'x-api-key': key },
  }));
  await using load = await startLoad(config.port, asked);
  const { latencies, tookMs } = await load.run({ atOnce: 16 }, CAPACITY_MS);
  const perSecond = Math.floor((SHARE * 1000 * latencies.length) / tookMs);
  say(`${SAMPLES} events, beside ${perSecond} requests a second`);
  const running = load.run({ perSecond }, SAMPLES * 1000);
  // Where an event is not seen, that is what is said, and not that the load was ended.
  running.catch(() => undefined);
  const ours: Seen[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) ours.push(await seen(parts, api, entries, sample));
  requireAnswered(await running);
  say('the peers');
  const peers: Seen[] = [];
  await using echo = await startEcho(parts);
  for (let sample = 0; sample < SAMPLES; sample += 1) peers.push(await echo.seen(sample));
  await service.stop();
  yield (['listing', 'hit'] as const).flatMap((what) => figuresOf(what, ours, peers));
}

/** Milliseconds from before the event was appended. */
interface Seen {
  readonly listing: number;
  readonly hit: number;
}

function figuresOf(what: keyof Seen, ours: readonly Seen[], peers: readonly Seen[]): readonly Figure[] {
  const [own, theirs] = [ours, peers].map((all) => all.map((one) => one[what])) as [number[], number[]];
  const [p99, peer] = [percentile(own, 0.99), percentile(theirs, 0.99)];
  const [goal, fails] = [GOAL * peer + CONFIRMATION_MS, FAILS * peer + CONFIRMATION_MS];
  return [
    {
      name: `P9: until the ${what} is seen, p99, ms`,
      value: shown(p99),
      goal: `at most ${shown(goal)}, fails above ${shown(fails)}`,
      verdict: p99 <= goal ? 'met' : p99 <= fails ? 'missed' : 'failed',
    },
    informing(
      `${what}: p50 and p99 of ours / of the peer, ms`,
      [own, theirs]
        .map((all) => `${shown(percentile(all, 0.5))}, ${shown(percentile(all, 0.99))}`)
        .join(' / '),
    ),
  ];
}

/** A word that no entry has had yet, of letters alone. */
function wordOf(sample: number): string {
  const letters = Array.from(String(sample).padStart(4, '0'), (digit) => 'bdfghjklmn'[Number(digit)]);
  return `zq${letters.join('')}xv`;
}

async function seen(
  { log, topicName }: Parts,
  { base, keys }: { readonly base: string; readonly keys: readonly string[] },
  entries: readonly Entry[],
  sample: number,
): Promise<Seen> {
  const { slug: subject, username } = entries[sample % entries.length] as Entry;
  const title = wordOf(sample);
  const event = published({ subject, username, revision: REVISION + sample, title: { en: title } });
  const record = structuredRecord(event);
  const key = keys[sample % keys.length] ?? '';
  const get = async (path: string): Promise<string> => {
    const response = await fetch(`${base}${path}`, { headers: { 'x-api-key': key } });
    const body = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${body}`);
    return body;
  };
  // Copies in memory are as old as the reader before has left them.
  await get(`/listings/${subject}`);
  await pause(Math.random() * 300);
  const began = performance.now();
  await log.append([{ ...record, topic: topicName(record.topic) }]);
  const [listing, hit] = await Promise.all([
    until(began, async () => (await get(`/listings/${subject}`)).includes(title)),
    until(began, async () => (await get(`/search?q=${title}`)).includes(subject)),
  ]);
  return { listing, hit };
}

async function until(began: number, isSeen: () => Promise<boolean>): Promise<number> {
  for (;;) {
    if (await isSeen()) return performance.now() - began;
    if (performance.now() - began > GIVEN_UP_MS) throw new Error('an event was not seen within a minute');
    await pause(LOOK_MS);
  }
}

/** A consumer that writes one document for each record, and an index that is told of one entry. */
async function startEcho(parts: Parts) {
  const { log, documents, search, topicName, clock } = parts;
  const [topic, name] = [topicName(TOPIC), 'echo'];
  await documents.declare({ name, indexes: [] });
  await search.declare(name);
  const stopping = new AbortController();
  const ends = await log.ends(topic);
  const consume = async (assignment: Assignment): Promise<void> => {
    let from = ends.find(({ partition }) => partition === assignment.partition)?.latest ?? 0;
    const { signal } = stopping;
    while (!signal.aborted && !assignment.signal.aborted) {
      const batch = await assignment.fetch(from, { maxRecords: 100, maxWaitMs: 1000, signal });
      for (const { key } of batch.records)
        await documents.write(name, [{ id: key ?? '', read: null, version: newVersion(), body: {} }]);
      from = batch.next;
    }
  };
  const consuming: Promise<void>[] = [];
  const subscription = await log.subscribe('bench-echo', [topic], {
    assigned: (assignment) => void consuming.push(consume(assignment)),
    revoked: () => undefined,
  });
  while (consuming.length < ends.length) await clock.sleep(50);
  return {
    seen: async (sample: number): Promise<Seen> => {
      const subject = `echo-${sample}`;
      const record = structuredRecord(published({ subject, revision: 1 }));
      const began = performance.now();
      await log.append([{ ...record, topic }]);
      const listing = await until(began, async () => (await documents.get(name, [subject])).has(subject));
      const putAt = performance.now();
      const word = wordOf(sample);
      const names = [word];
      await search.put(name, [
        {
          id: subject,
          kind: 'channel',
          category: null,
          score: 1,
          exact: names,
          names,
          texts: [],
          transliterated: { names, texts: [] },
        },
      ]);
      const query = { q: word, filter: {}, exclude: [], offset: 0, limit: 20 };
      const hit = await until(putAt, async () => (await search.query(name, query)).ids.includes(subject));
      return { listing, hit };
    },
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await Promise.all(consuming);
      await subscription[Symbol.asyncDispose]();
    },
  };
}
