import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import type { Parts } from '../../src/compose/parts.ts';
import { ensureTopics, startProjector } from '../../src/compose/projector.ts';
import type { CloudEvent } from '../../src/events/envelope.ts';
import { openSqliteLog } from '../../src/events/log/sqlite.ts';
import { structuredRecord } from '../../src/events/event-types.ts';
import { readShadows } from '../../src/stores/shadows.ts';
import { LISTINGS } from '../support/collections.ts';
import { temporaryFolder } from '../support/folder.ts';
import { disorderlyHistory } from '../support/histories.ts';
import { bodiesOf } from '../support/replayed.ts';
import { runHere } from '../support/run-here.ts';
import type { Finished } from '../support/process.ts';
import { openParts } from '../support/parts.ts';
import { fakeClock } from '../support/test-clock.ts';

/** Replays beside a working projector, and everything that people get wrong. The guide runs in guides-on-a-year.test.ts. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const GUIDE = readFileSync(join(ROOT, 'docs/guides/replay.md'), 'utf8');
const DAY_MS = 86_400_000;
const folder = temporaryFolder();
const env = { CATALOG_DATA: folder };

let parts: Parts;
let stop: AsyncDisposableStack;
beforeAll(async () => {
  stop = new AsyncDisposableStack();
  parts = stop.use(await openParts(env));
  await ensureTopics(parts);
  await fillLog();
  stop.use(await startProjector(parts, { acceptGaps: [] }));
  const isThere = async (): Promise<void> => expect((await runHere(['status'], env)).code).toBe(0);
  await vi.waitFor(isThere, { timeout: 60_000 });
}, 90_000);
afterAll(() => stop.disposeAsync());
afterEach(async () => {
  for (const { id } of await readShadows(parts.documents)) {
    await catalog('shadows', 'drop', id);
  }
});

/** Ten days of a log, the last of them an hour ago. */
async function fillLog(): Promise<void> {
  const clock = fakeClock(Date.now() - 10 * DAY_MS);
  await using log = openSqliteLog(join(folder, 'log.db'), { clock });
  const lines = disorderlyHistory({ entries: 60, events: 400, seed: 3 });
  const records = lines.map((line) => structuredRecord(JSON.parse(line) as CloudEvent));
  for (let start = 0; start < records.length; start += 40) {
    await log.append(records.slice(start, start + 40));
    clock.time += DAY_MS - 3_600_000;
  }
}

function catalog(...args: readonly string[]): Promise<Finished> {
  return runHere(args, env);
}

/** Everything that is stored, but for shadows. */
async function live(): Promise<string> {
  const read = ['aliases', 'builds', 'checkpoints', 'parked', LISTINGS];
  const bodies = await Promise.all(read.map(async (name) => [...(await bodiesOf(parts.documents, name))]));
  return JSON.stringify(bodies);
}

test('the formula of the guide moves trust, and makes a score that adds up, while everything live stays as it is', async () => {
  const file = join(folder, 'weights.ts');
  const [, code = ''] = /^```ts\n(.+?)^```$/ms.exec(GUIDE) ?? [];
  writeFileSync(file, code.replaceAll("'./projections/", `'${ROOT}projections/`));
  const before = await live();
  await catalog('shadows', 'replay', 'listings', '--formula', file, '--into', 'weights');
  expect(await live()).toBe(before);
  const shadow = await bodiesOf(parts.documents, `${LISTINGS}-weights`);
  const scores = [...shadow.values()].flatMap((body) => (body as Scored).view.score ?? []);
  expect(scores.length).toBeGreaterThan(20);
  for (const { value, formula, breakdown } of scores) {
    expect(formula).toBe('more-trust');
    expect(value).toBeCloseTo(
      breakdown.reduce((sum, { points }) => sum + points, 0),
      1,
    );
  }
  const trusts = scores.flatMap(({ breakdown }) =>
    breakdown.length === 4 ? (breakdown.at(-1)?.weight ?? 0) : [],
  );
  // Without growth, of which this history is too short to tell.
  expect(new Set(trusts)).toEqual(new Set([0.2941]));
});

interface Scored {
  readonly view: {
    readonly score?: {
      readonly value: number;
      readonly formula: string;
      readonly breakdown: readonly { readonly points: number; readonly weight: number }[];
    };
  };
}

test('a replay of everything has the registers and views that are live', async () => {
  const { code } = await catalog('shadows', 'replay', 'listings', '--into', 'everything');
  expect(code).toBe(0);
  const made = await bodiesOf(parts.documents, `${LISTINGS}-everything`);
  for (const [id, body] of await bodiesOf(parts.documents, LISTINGS)) {
    const { dirty: _dirty, ...shown } = body as { readonly dirty?: unknown };
    expect(made.get(id), id).toEqual(shown);
  }
});

test('with --json it is the shadow, as "shadows list" lists it', async () => {
  const { stdout } = await catalog('shadows', 'replay', 'listings', '--until', '5d', '--json');
  const made = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
  expect(made).toMatchObject({
    shadow: `${LISTINGS}-replay-1`,
    read_model: 'listings',
    name: 'replay-1',
    state: 'finished',
    source: 'log',
    from: null,
    formula: null,
    is_cut: false,
  });
  expect(JSON.parse((await catalog('shadows', 'list', '--json')).stdout)).toEqual({ shadows: [made] });
});

describe('an archive', () => {
  test('makes the same shadow as the log, and so does a log that was restored from it, by the same times', async () => {
    const archive = join(folder, 'archive');
    await catalog('keep', 'archive', archive);
    const until = new Date(Date.now() - 5 * DAY_MS).toISOString();
    for (const bounds of [[], ['--until', until]]) {
      const fromLog = await digestOf(env, ...bounds);
      expect(await digestOf(env, '--from-archive', archive, ...bounds), bounds.join(' ')).toBe(fromLog);
    }
    const restored = { CATALOG_DATA: join(folder, 'restored') };
    expect((await runHere(['keep', 'restore', archive], restored)).code).toBe(0);
    // Which makes its documents.
    await runHere(['keys', 'create', '--account', 'acme'], restored);
    expect(await digestOf(restored, '--until', until)).toBe(await digestOf(env, '--until', until));
  });

  test('that is damaged is named by its file, and leaves nothing behind', async () => {
    const archive = join(folder, 'damaged');
    await catalog('keep', 'archive', archive);
    const [partition = ''] = globSync(join(archive, 'catalog.entries/*/*.gz'));
    writeFileSync(
      partition,
      gzipSync(gunzipSync(readFileSync(partition)).toString().replace('catalog.entry.', 'catalog.entrx.')),
    );
    const { code, stdout, stderr } = await catalog(
      'shadows',
      'replay',
      'listings',
      '--from-archive',
      archive,
    );
    expect(stderr).toMatch(/^catalog: \S+\.ndjson\.gz: it is not as it was written .+\n$/);
    expect([code, stdout]).toEqual([1, '']);
    expect(await readShadows(parts.documents)).toEqual([]);
  });

  test('that is none is one line', async () => {
    const { code, stderr } = await catalog(
      'shadows',
      'replay',
      'listings',
      '--from-archive',
      join(folder, 'nowhere'),
    );
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^catalog: There is no archive .+\n$/)]);
  });

  async function digestOf(where: typeof env, ...args: readonly string[]): Promise<string> {
    const { stdout } = await runHere(
      ['shadows', 'replay', 'listings', ...args, '--into', 'compared', '--json'],
      where,
    );
    await runHere(['shadows', 'drop', 'compared'], where);
    return (JSON.parse(stdout) as { readonly digest: string }).digest;
  }
});

describe('what people get wrong is one line, and leaves nothing behind', () => {
  test.each([
    [['listing'], 2, /There is no read model listing\. It is one of listings, categories, monitor\./],
    [['listings', '--until', 'yesterday'], 2, /Expected how long ago .+, or an RFC 3339 date-time/],
    [['listings', '--until', '20d'], 2, /--until \S+ is out of range: the records are from \S+ to \S+\./],
    [['listings', '--until', '2100-01-01T00:00:00Z'], 2, /is out of range: the records are from/],
    [['listings', '--from', '1d', '--until', '2d'], 2, /is later than --until .+: nothing lies between\./],
    [['listings', '--into', 'live'], 2, /--into live: a name is .+ and not live, b2/],
    [['listings', '--into', 'b2'], 2, /--into b2: a name is 1 to 31 of a-z, 0-9 and -/],
    [['listings', '--into', 'Weights'], 2, /--into Weights: a name is 1 to 31/],
    [['categories', '--formula', 'x.ts'], 2, /--formula is for listings: categories has no score\./],
    [['listings', '--formula', 'nothing.ts'], 2, /There is no file nothing\.ts\./],
    [
      ['listings', '--formula', join(folder, 'throws.ts')],
      1,
      /throws\.ts makes no score of \S+: it throws "no"\./,
    ],
  ])('replay %j', async (args, exitCode, message) => {
    writeFileSync(join(folder, 'throws.ts'), 'export function scoreOf() { throw new Error("no"); }');
    const before = await parts.documents.collections();
    const { code, stdout, stderr } = await catalog('shadows', 'replay', ...args);
    expect(stderr).toMatch(/^catalog: (?!a fault of ours).+\n$/);
    expect(stderr).toMatch(message);
    expect([code, stdout]).toEqual([exitCode, '']);
    expect(new Set(await parts.documents.collections())).toEqual(new Set([...before, 'shadows']));
    expect((await catalog('shadows', 'list')).stdout).toBe('There is no shadow.\n');
  });

  test('a shadow that exists', async () => {
    await catalog('shadows', 'replay', 'categories', '--into', 'twice');
    const { code, stderr } = await catalog('shadows', 'replay', 'categories', '--into', 'twice');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^catalog: There is a shadow categories@\d+-twice already: drop it first, .+\n$/),
    ]);
    expect((await catalog('shadows', 'drop', 'twice')).stdout).toMatch(/^categories@\d+-twice is gone\.\n$/);
    expect((await catalog('shadows', 'drop', 'twice')).code).toBe(2);
  });
});
