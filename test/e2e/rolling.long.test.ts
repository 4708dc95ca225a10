import { afterAll, beforeAll, expect, test } from 'vitest';

import { compose, type Parts } from '../../src/compose/parts.ts';
import { readConfig } from '../../src/config.ts';
import { readBuild } from '../../src/stores/builds.ts';
import { measured, published } from '../support/events.ts';
import { freePort, install, type Installation, type Running, type RunCommand } from '../support/process.ts';
import { nextRelease } from '../support/changed-release.ts';
import { commandsHere } from '../support/run-here.ts';
import { readScores, type Formula, type ScoreReader } from '../support/score-reader.ts';

/**
 * Two releases on one data folder, two API processes and two projectors: from A to B, the switch, and back to A. A reader
 * asks both API processes all the time. Each test goes on where the one before has ended.
 */
const ENTRIES = 40;
const KEYS = 60;

type Release = 'A' | 'B';

let catalog: Installation;
let parts: Parts;
let reader: ScoreReader;
let here: RunCommand;
const folders: Record<Release, string | undefined> = { A: undefined, B: undefined };
const processes = new Map<string, Running>();
const scores = { old: new Map<string, number>(), new: new Map<string, number>() };
let goal: Formula = 'old';
let late = 0;
let spareKey = '';

beforeAll(async () => {
  catalog = await install({ CATALOG_SAMPLE: 'off' });
  here = commandsHere(catalog);
  parts = await compose(readConfig(catalog.env), 'test');
  folders.B = (await nextRelease()).folder;
  const keys: string[] = [];
  for (let index = 0; index < KEYS; index += 1) {
    const { stdout } = await here(['keys', 'create', '--account', `reader-${index}`, '--json']);
    keys.push((JSON.parse(stdout) as { readonly key: string }).key);
  }
  spareKey = keys.pop() ?? '';
  reader = readScores({ scores, keys, q: 'orbit', goal: () => goal });
});
afterAll(async () => {
  await reader.stop();
  await parts[Symbol.asyncDispose]();
  await catalog[Symbol.asyncDispose]();
});

test('A alone: two API processes answer what two projectors have made', async () => {
  await run('project 1', 'A');
  await run('project 2', 'A');
  await publish(Array.from({ length: ENTRIES }, (_, index) => measuresOf(`entry-${index}`, index)));
  await publish(Array.from({ length: ENTRIES }, (_, index) => entryOf(`entry-${index}`, index)));
  await run('serve 1', 'A');
  await run('serve 2', 'A');
  await isClean('A');
});

test('one projector of B builds beside the live one, while one of A goes on', async () => {
  await replace('project 1', 'B');
  await readOn();
  await isBuilt();
  await learnScores();
  await isClean('A', 'B');
  expect(reader.seen()).toEqual({ 'serve 1': 'old', 'serve 2': 'old' });
});

test('a cut-over refuses while an API process of A serves, and names it', async () => {
  await replace('serve 1', 'B');
  const { code, stderr } = await command('B', ['cut-over', 'listings']);
  expect(code).toBe(1);
  const pid = processes.get('serve 2')?.child.pid;
  expect(stderr).toMatch(
    new RegExp(`listings@1 is still live: \\S+:${pid} serves readers and cannot serve listings@2: `),
  );
  await readOn();
  await isClean('A', 'B');
});

test('B alone goes on with both builds, after the last projector of A was killed', async () => {
  await replace('serve 2', 'B');
  await replace('project 2', 'B', 'SIGKILL');
  await readOn();
  await isClean('B');
});

test('a cut-over under readers and writers fails no request, and no answer mixes the formulas', async () => {
  await switchTo('new', ['cut-over', 'listings']);
  await isClean('B');
});

test('a rollback under readers and writers brings the old scores back, with what came since', async () => {
  await switchTo('old', ['rollback', 'listings']);
  await isClean('B');
});

test('back to A, one process after the other', async () => {
  await replace('serve 1', 'A');
  await replace('project 1', 'A');
  await readOn();
  await isClean('A', 'B');
  await replace('serve 2', 'A');
  await replace('project 2', 'A', 'SIGKILL');
  await readOn();
  await isClean('A');
});

test('forward again, while a projector of A still has the live build: B catches up with what A has left alone, and cuts over', async () => {
  for (const name of ['project 1', 'serve 1', 'serve 2']) await replace(name, 'B');
  await readOn();
  await switchTo('new', ['cut-over', 'listings']);
  await isClean('B');
  // What it keeps up to date beside it.
  expect((await command('A', ['verify', '--build', 'listings@1'])).code).toBe(0);
  await replace('project 2', 'B');
  await isClean('B');
});

test('an API process of A that is started now answers nothing', async () => {
  await stop('serve 1');
  const { running, url } = start('serve 1', 'A');
  await running.printed('Serving');
  const headers = { 'x-api-key': spareKey };
  expect((await fetch(`${url}/api/v1/top`, { headers })).status).toBe(503);
  await running.stop();
  await isFaultless();
  expect(reader.answers).toBeGreaterThan(500);
});

/** Publishes while readers read: new entries, like others in all that a score is made of. */
async function readOn(): Promise<void> {
  const [from, index] = [reader.answers, late];
  late += 1;
  const slug = `late-${index}`;
  await publish([measuresOf(slug, index % ENTRIES)]);
  await publish([entryOf(slug, index % ENTRIES)]);
  // What readers have seen once they go on seeing, whatever is switched.
  await expect.poll(() => reader.shows(slug)).toBe(true);
  copyScores(slug, `entry-${index % ENTRIES}`);
  await expect.poll(() => reader.answers).toBeGreaterThan(from + 10);
  await isFaultless();
}

async function isFaultless(): Promise<void> {
  const said = [];
  for (const [name, process] of reader.faults.length > 0 ? processes : [])
    said.push(`${name}: ${await process.printed('')}`);
  expect(reader.faults, said.join('\n')).toEqual([]);
}

async function switchTo(formula: Formula, args: readonly string[]): Promise<void> {
  let isOver = false;
  const everywhere = { 'serve 1': formula, 'serve 2': formula };
  const switching = async () => {
    goal = formula;
    const { code, stderr } = await command('B', args);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    await expect.poll(() => reader.seen()).toEqual(everywhere);
  };
  const writing = async () => {
    while (!isOver) await readOn();
  };
  await Promise.all([switching().finally(() => (isOver = true)), writing()]);
  await readOn();
  expect(reader.seen()).toEqual(everywhere);
}

function copyScores(slug: string, of: string): void {
  for (const known of [scores.old, scores.new]) {
    const score = known.get(of);
    if (score !== undefined) known.set(slug, score);
  }
}

/** Every document is what the log says, by the command of each of these releases; so is every entry of the index. */
async function isClean(...releases: readonly Release[]): Promise<void> {
  await isFaultless();
  for (const release of releases) {
    const { code, stdout } = await command(release, ['verify']);
    expect({ release, code, stdout }).toMatchObject({ code: 0 });
  }
}

async function isBuilt(): Promise<void> {
  const completed = async () => (await readBuild(parts.documents, 'listings@2'))?.completed_at ?? null;
  await expect.poll(completed).not.toBeNull();
}

/** By each formula, from the documents that each release has made. */
async function learnScores(): Promise<void> {
  for (const [collection, known] of [
    ['listings@1', scores.old],
    ['listings@2', scores.new],
  ] as const) {
    for await (const batch of parts.documents.scan<Stored>(collection))
      for (const { id, body } of batch) known.set(id, body.view.score?.value ?? 0);
  }
  expect(scores.old.size).toBeGreaterThan(ENTRIES);
  expect([...scores.old].filter(([slug, score]) => scores.new.get(slug) === score)).toEqual([]);
}

interface Stored {
  readonly view: { readonly score?: { readonly value: number } };
}

function measuresOf(subject: string, index: number): object {
  return measured({ subject, subscribers: 1000 + 977 * index, posts_per_week: 1 + (index % 7) });
}

function entryOf(subject: string, index: number): object {
  const title = { en: `Orbit ${subject}`, ru: `Орбита ${subject}` };
  // Trusted wholly, or hardly: what the formulas make of it differs for every audience.
  const trust = index % 2 === 0 ? { verified: true } : { flags: ['restricted'] };
  return published({ subject, title, username: subject.replace('-', '_'), ...trust });
}

async function publish(events: readonly object[]): Promise<void> {
  const input = events.map((event) => JSON.stringify(event)).join('\n');
  const { stdout, stderr } = await here(['publish', '-', '--wait'], { input });
  expect(stdout, stderr).toContain('They have reached the documents and the search index');
}

function command(release: Release, args: readonly string[]) {
  const folder = folders[release];
  return catalog.catalog(args, folder === undefined ? {} : { release: folder });
}

function start(name: string, release: Release): { readonly running: Running; readonly url: string } {
  const port = ports[name] ?? 0;
  const [word = ''] = name.split(' ');
  const running = catalog.start([word], { PORT: String(port), ADMIN_PORT: '0' }, folders[release]);
  processes.set(name, running);
  return { running, url: `http://127.0.0.1:${port}` };
}

const ports: Readonly<Record<string, number>> = {
  'serve 1': await freePort(),
  'serve 2': await freePort(),
};

async function run(name: string, release: Release): Promise<void> {
  const { running, url } = start(name, release);
  await running.printed(name.startsWith('serve') ? 'Serving' : 'Projecting.');
  if (name.startsWith('serve')) reader.open(name, url);
}

/** As a front does it: nothing is asked of a process that is about to stop. */
async function stop(name: string, signal?: NodeJS.Signals): Promise<void> {
  await reader.close(name);
  await processes.get(name)?.stop(signal);
}

async function replace(name: string, release: Release, signal?: NodeJS.Signals): Promise<void> {
  await stop(name, signal);
  await run(name, release);
}
