import { join } from 'node:path';

import { compose, type Parts } from '../src/compose/parts.ts';
import { readConfig } from '../src/config.ts';
import { systemClock } from '../src/platform/clock.ts';
import { createRandom } from '../src/sample/random.ts';
import { install, type Installation } from '../test/support/process.ts';
import { publishLater } from './beside-rebuild/later-events.ts';
import { fillCatalog } from './catalog.ts';
import type { Entry } from './filling.ts';
import { type Measured as Process, startMeasured } from './http/measured.ts';
import { startLoad } from './load/generator.ts';
import type { Measured } from './load/messages.ts';
import { usedBy } from './process.ts';
import { makeQuery } from './queries.ts';
import { informing, shown, type Benchmark, type BenchmarkOptions, type Figure } from './report.ts';
import { percentile } from './statistics.ts';
import type { Verdict } from './verdict.ts';

/** The embedded default over more and more entries: what stays as it is, and what grows. */
export const growth: Benchmark = {
  name: 'growth',
  rows: ['P14'],
  title: 'Ten and a hundred times as many entries',
  run,
};

/** `BENCH_GROWTH` names others, a comma between them. A million takes half an hour and 12 GB of disk. */
const SIZES = (process.env['BENCH_GROWTH'] ?? '10000,100000,1000000').split(',').map(Number);
const EVENTS_PER_ENTRY = 1.5;

const FLAT = 1.2;
const SEARCH_P95_MS = 300;
const START_S = 2;
const REFRESH_SHARE = 0.05;

const PER_SECOND = 100;
const WARMING_MS = 5000;
const SLICE_MS = 10_000;
const QUERIES = 2000;
/** Of those that ask for the top and the categories while entries change, and of the changes. */
const REFRESHES_PER_SECOND = 5;
const CHANGES_PER_SECOND = 10;
const REFRESH_MS = 20_000;

interface Grown {
  readonly entries: number;
  readonly startS: number;
  readonly residentMb: number;
  /** Milliseconds. */
  readonly p50: Readonly<Record<'listing' | 'top' | 'categories' | 'search', number>>;
  readonly searchP95: number;
  readonly broadP95: number;
  /** Of a core, for the top and the counts to follow changes. */
  readonly refresh: number;
}

async function run({ say }: BenchmarkOptions): Promise<readonly Figure[]> {
  const grown: Grown[] = [];
  for (const entries of SIZES) grown.push(await measure(entries, say));
  const [first] = grown;
  return first
    ? [...grown.flatMap(figuresOf), ...grown.slice(1).flatMap((one) => besideFirst(one, first))]
    : [];
}

async function measure(count: number, say: BenchmarkOptions['say']): Promise<Grown> {
  await using installation = await install({ CATALOG_SAMPLE: 'off' });
  const events = count * EVENTS_PER_ENTRY;
  const entries = await fillCatalog({ installation, env: installation.env }, { entries: count, events, say });
  say(`starting over ${count} entries`);
  const startS = await startSeconds(installation);
  await using api = await startMeasured('ours.ts', {
    env: { ...installation.env, LOG_LEVEL: 'info' },
    log: join(installation.folder, 'access.log'),
  });
  const random = createRandom('growth');
  const queries = Array.from({ length: QUERIES }, () => makeQuery(entries, random));
  const paths = {
    listing: entries.slice(0, QUERIES).map(({ slug }) => `/listings/${slug}`),
    top: ['/top?limit=100'],
    categories: ['/categories'],
    search: queries.map(({ q }) => `/search?${String(new URLSearchParams({ q }))}`),
  };
  const measured: Partial<Record<keyof typeof paths, Measured>> = {};
  for (const name of Object.keys(paths) as (keyof typeof paths)[]) {
    say(`${name} over ${count} entries`);
    measured[name] = await steadily(
      api,
      paths[name],
      name === 'search' ? { atOnce: 1 } : { perSecond: PER_SECOND },
    );
  }
  const { listing, top, categories, search } = measured as Record<keyof typeof paths, Measured>;
  const broad = search.latencies.filter((_, at) => queries[(search.indexes[at] ?? 0) % QUERIES]?.isBroad);
  const p50 = ({ latencies }: Measured): number => percentile(latencies, 0.5);
  return {
    entries: entries.length,
    startS,
    residentMb: usedBy(api.pid).residentMb,
    p50: { listing: p50(listing), top: p50(top), categories: p50(categories), search: p50(search) },
    searchP95: percentile(search.latencies, 0.95),
    broadP95: percentile(broad, 0.95),
    refresh: await refreshShare(installation, api, entries),
  };
}

async function startSeconds(installation: Installation): Promise<number> {
  const began = performance.now();
  const service = installation.start(['start']);
  await service.printed('Ctrl-C stops.');
  const seconds = (performance.now() - began) / 1000;
  await service.stop();
  return seconds;
}

async function steadily(
  { port, keys }: Process,
  paths: readonly string[],
  load: { readonly perSecond: number } | { readonly atOnce: number },
): Promise<Measured> {
  const length = Math.max(paths.length, keys.length);
  const requests = Array.from({ length }, (_, index) => ({
    path: `/api/v1${paths[index % paths.length]}`,
    headers: { 'x-api-key': keys[index % keys.length] ?? '' },
  }));
  using generator = startLoad(port, requests);
  await generator.run(load, WARMING_MS);
  const measured = await generator.run(load, SLICE_MS);
  const { statuses, latencies } = measured;
  if (statuses[200] !== latencies.length) throw new Error(`answered with ${JSON.stringify(statuses)}`);
  return measured;
}

/** What following changes costs the API beyond the same requests without them, as a share of a core. */
async function refreshShare(
  installation: Installation,
  api: Process,
  entries: readonly Entry[],
): Promise<number> {
  const projector = installation.start(['project']);
  await projector.printed('Projecting.');
  await using parts = await compose(readConfig(installation.env), 'bench');
  const [key = ''] = api.keys;
  const requests = ['/api/v1/top?limit=100', '/api/v1/categories'].map((path) => ({
    path,
    headers: { 'x-api-key': key },
  }));
  using generator = startLoad(api.port, requests);
  const cpuMs = async (): Promise<number> => {
    const before = (await api.used()).cpuMs;
    await generator.run({ perSecond: REFRESHES_PER_SECOND }, REFRESH_MS);
    return (await api.used()).cpuMs - before;
  };
  const still = await cpuMs();
  const ended = new AbortController();
  const [changed] = await Promise.all([
    cpuMs().finally(() => ended.abort()),
    changeEachSecond(parts, entries.slice(0, CHANGES_PER_SECOND), ended.signal),
  ]);
  await projector.stop();
  return Math.max(0, changed - still) / REFRESH_MS;
}

async function changeEachSecond(parts: Parts, entries: readonly Entry[], signal: AbortSignal): Promise<void> {
  const began = performance.now();
  for (let round = 1; ; round += 1) {
    await systemClock.sleep(began + round * 1000 - performance.now(), signal);
    if (signal.aborted) return;
    await publishLater(parts, entries, round);
  }
}

function figuresOf(grown: Grown): readonly Figure[] {
  const { entries, startS, residentMb, p50, searchP95, broadP95, refresh } = grown;
  const of = (name: string): string => `${entries} entries: ${name}`;
  const bound = (name: string, value: number, most: number): Figure => ({
    name: of(name),
    value: shown(value),
    goal: `at most ${most}`,
    verdict: verdictOf(value, most),
  });
  const { listing, top, categories, search } = p50;
  return [
    informing(
      of('p50 of a listing / top / categories / search, ms'),
      [listing, top, categories, search].map(shown).join(' / '),
    ),
    bound('p95 of searches, ms', searchP95, SEARCH_P95_MS),
    bound('p95 of searches for one letter, ms', broadP95, SEARCH_P95_MS),
    bound('a start, s', startS, START_S),
    bound('following 10 changes a second, of a core', refresh, REFRESH_SHARE),
    informing(of('memory of the API, MB'), shown(residentMb)),
  ];
}

function besideFirst({ entries, p50, residentMb }: Grown, first: Grown): readonly Figure[] {
  const times = entries / first.entries;
  return [
    ...(['listing', 'top', 'categories'] as const).map((name): Figure => {
      const ratio = p50[name] / first.p50[name];
      const verdict = verdictOf(ratio, FLAT);
      return {
        name: `p50 of ${name}, ${shown(times)} times the entries`,
        value: shown(ratio),
        goal: `at most ${FLAT}`,
        verdict,
      };
    }),
    informing(`memory, ${shown(times)} times the entries`, shown(residentMb / first.residentMb)),
  ];
}

function verdictOf(value: number, most: number): Verdict {
  return value <= most ? 'met' : 'missed';
}
