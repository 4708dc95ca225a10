import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { note, print } from '../../src/cli/output.ts';
import { ensureTopics } from '../../src/compose/projector.ts';
import { compose, type Parts } from '../../src/compose/parts.ts';
import { readConfig } from '../../src/config.ts';
import type { NewRecord } from '../../src/events/log/port.ts';
import { structuredRecord } from '../../src/events/event-types.ts';
import { stopSignal } from '../../src/platform/stop-signal.ts';
import { readProgress } from '../../src/projecting/inspect/lane-progress.ts';
import { simulatedHistory } from '../../src/sample/simulated/history.ts';
import { countMarks } from '../../src/stores/outbox.ts';
import { LISTINGS } from '../support/collections.ts';
import { freePort } from '../support/free-ports.ts';
import { manyKeys } from '../support/many-keys.ts';
import { install, type Running } from '../support/process.ts';
import { judge, type Verdict } from './judge.ts';
import type { Progress, ToLoad } from './load.ts';
import { takeSample, type Sample } from './sample.ts';

/**
 * `npm run soak -- [--minutes N] [--requests N] [--memory MIB]`: `serve` and `project` as two processes on embedded
 * stores, each with the memory that docker-compose.yml gives it, under mixed and hostile requests while events come in.
 * It goes on for so many minutes, and for so many requests if that takes longer. Exit code 1 where something grows,
 * `serve` takes 300 MB or more, or a process ends.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    requests: { type: 'string', default: '0' },
    memory: { type: 'string', default: '512' },
  },
});

const ENTRIES = 2000;
const FIRST_EVENTS = 30_000;
const EVENTS_PER_SECOND = 100;
const SAMPLED_EVERY_MS = 5000;
/** `serve`, whatever was asked of it. */
const MOST_RSS = 300_000_000;
const KEYS_AT_ONCE = 100;
const BATCH = 1000;
const BEAT_MS = 250;
const HEADER = ['', 'first third', 'middle third', 'last third', 'most', ''];
const MEMORY: ReadonlySet<string> = new Set(['rss', 'heap', 'external']);

process.exitCode = await soak(
  Number(values.minutes),
  Number(values.requests),
  Number(values.memory) * 2 ** 20,
);

async function soak(minutes: number, requests: number, memory: number): Promise<number> {
  // Stopped from outside, it ends what it has started, and judges what it has seen.
  using stop = stopSignal();
  await using installation = await install({ CATALOG_SAMPLE: 'off' });
  const config = readConfig(installation.env);
  await using parts = await compose(config, 'soak');
  await ensureTopics(parts);
  const publisher = openPublisher(parts, FIRST_EVENTS + Math.ceil(minutes * 60) * EVENTS_PER_SECOND * 3);
  for (let appended = 0; appended < FIRST_EVENTS; appended += BATCH) await publisher.append(BATCH);
  const makeKeys = (): Promise<string[]> => manyKeys(parts, KEYS_AT_ONCE, `soak-${process.hrtime.bigint()}`);

  // Half of the memory, as Node has it where it sees that limit; as much again is for what is outside. The rest is as the image has it.
  const heap = `--max-old-space-size=${Math.floor(memory / 2 ** 21)}`;
  const processes = await Promise.all(
    ['serve', 'project'].map(async (name) => {
      const port = String(await freePort());
      const confined = { ADMIN_PORT: port, NODE_OPTIONS: heap, MALLOC_ARENA_MAX: '2' };
      const running = installation.start([name], confined);
      return { name, running, admin: `http://127.0.0.1:${port}`, samples: [] as Sample[] };
    }),
  );
  const url = `http://127.0.0.1:${config.port}`;
  note(`waiting until ${ENTRIES} entries can be searched`);
  await untilFed(parts, processes);

  const load = fork(join(import.meta.dirname, 'load.ts'));
  let progress: Progress = { requests: 0, broken: 0, statuses: {}, keysLeft: KEYS_AT_ONCE };
  let isSupplying = false;
  load.on('message', (message) => {
    progress = message as Progress;
    if (progress.keysLeft > KEYS_AT_ONCE / 2 || isSupplying) return;
    isSupplying = true;
    void makeKeys()
      .then((made) => load.connected && tell({ kind: 'keys', keys: made }))
      .finally(() => (isSupplying = false));
  });
  const tell = (message: ToLoad): boolean => load.send(message);
  const assets = await assetsOf(url);
  tell({ kind: 'setup', port: config.port, keys: await makeKeys(), slugs: [...publisher.slugs], ...assets });

  const until = performance.now() + minutes * 60_000;
  const isOver = (): boolean =>
    stop.aborted ||
    endedOf(processes) !== undefined ||
    (performance.now() >= until && progress.requests >= requests);
  const publishing = steadily(publisher, isOver);
  const began = performance.now();
  while (!isOver()) {
    await sleep(SAMPLED_EVERY_MS);
    if (endedOf(processes)) break;
    for (const { running, admin, samples } of processes)
      samples.push(await takeSample(running.child.pid ?? 0, admin));
    const [{ samples } = { samples: [] as Sample[] }] = processes;
    const { rss = 0, external = 0 } = samples.at(-1) ?? {};
    note(
      `${progress.requests} requests; serve takes ${megabytes(rss)}, ${megabytes(external)} outside the heap`,
    );
  }
  const tookS = (performance.now() - began) / 1000;
  tell({ kind: 'end' });
  await once(load, 'exit');
  const events = await publishing;

  const dead = endedOf(processes);
  const wrong = dead ? [await lastWordsOf(dead)] : [];
  print(
    `${progress.requests} requests in ${Math.round(tookS)} s beside ${events} events; limit ${megabytes(memory)}`,
  );
  print(`by status: ${JSON.stringify(progress.statuses)}; connections that ended first: ${progress.broken}`);
  for (const { name, samples } of processes) {
    const verdicts = judge(samples);
    print(['', name, ...reportOf(verdicts)]);
    wrong.push(
      ...verdicts.flatMap((verdict) => (verdict.wrong === null ? [] : [`${name}: ${verdict.wrong}`])),
    );
    const most = Math.max(...samples.map(({ rss }) => rss));
    const allowed = name === 'serve' ? MOST_RSS : memory;
    if (most >= allowed) wrong.push(`${name}: rss ${megabytes(most)}, more than ${megabytes(allowed)}`);
  }
  if (progress.requests < requests) wrong.push(`only ${progress.requests} requests`);
  print(['', wrong.length === 0 ? 'flat' : `NOT flat: ${wrong.join('; ')}`]);
  return wrong.length === 0 ? 0 : 1;
}

/** A simulated history, appended bit by bit; the slugs are those of which something was published. */
function openPublisher(parts: Parts, events: number) {
  const history = simulatedHistory({ entries: ENTRIES, events, days: 30, seed: 1, endMs: Date.now() });
  const slugs = new Set<string>();
  return {
    slugs,
    /** Resolves with how many there still were. */
    append: async (count: number): Promise<number> => {
      const records: NewRecord[] = [];
      while (records.length < count) {
        const { done, value } = history.next();
        if (done) break;
        if (value.type === 'catalog.entry.published.v1') slugs.add(value.subject);
        records.push(structuredRecord(value));
      }
      if (records.length > 0) await parts.log.append(records);
      return records.length;
    },
  };
}

async function steadily(
  { append }: ReturnType<typeof openPublisher>,
  isOver: () => boolean,
): Promise<number> {
  let appended = 0;
  while (!isOver()) {
    const some = await append(Math.ceil((EVENTS_PER_SECOND * BEAT_MS) / 1000));
    if (some === 0) break;
    appended += some;
    await sleep(BEAT_MS);
  }
  return appended;
}

/** Until the documents have taken in the whole log, and the index the documents. */
async function untilFed(parts: Parts, processes: readonly Confined[]): Promise<void> {
  for (;;) {
    await sleep(1000);
    const dead = endedOf(processes);
    if (dead) throw new Error(await lastWordsOf(dead));
    const lanes = await readProgress(parts).catch(() => []);
    if (lanes.length === 0 || lanes.some(({ lag }) => lag > 0)) continue;
    const { put, remove } = await countMarks(parts.documents, LISTINGS);
    if (put + remove === 0) return;
  }
}

async function assetsOf(
  url: string,
): Promise<{ readonly assets: readonly string[]; readonly largest: string }> {
  const page = await (await fetch(`${url}/docs/en/reference`)).text();
  const assets = [...page.matchAll(/"(?:[^"]*\/)?(assets\/[^"]+)"/g)].map(([, path]) => `/docs/${path}`);
  const largest = assets.find((path) => path.includes('shell.')) ?? assets[0] ?? '/docs/en';
  return { assets, largest };
}

interface Confined {
  readonly name: string;
  readonly running: Running;
}

/** The one that runs no more. */
function endedOf(processes: readonly Confined[]): Confined | undefined {
  return processes.find(({ running: { child } }) => child.exitCode !== null || child.signalCode !== null);
}

async function lastWordsOf({ name, running }: Confined): Promise<string> {
  const { exitCode, signalCode } = running.child;
  return `${name} ended (${signalCode ?? exitCode}): ${(await running.printed('')).slice(-2000)}`;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

/** The lines of a table for people: medians of each third, and the most that was seen. */
function reportOf(verdicts: readonly Verdict[]): readonly string[] {
  const rows = verdicts.map(({ what, first, middle, last, most, wrong }) => [
    what,
    ...[first, middle, last, most].map((value) => shown(what, value)),
    wrong === null ? '' : 'GROWS',
  ]);
  return [HEADER, ...rows].map((row) =>
    row.map((cell, index) => (index === 0 ? cell.padEnd(12) : cell.padStart(14))).join(''),
  );
}

function shown(what: string, value: number): string {
  if (MEMORY.has(what)) return `${(value / 1e6).toFixed(1)} MB`;
  return what === 'delayMs' ? `${value.toFixed(1)} ms` : String(Math.round(value));
}
