import { rmSync } from 'node:fs';

import { compose } from '../src/compose/parts.ts';
import { readConfig } from '../src/config.ts';
import { nextRelease } from '../test/support/changed-release.ts';
import { LISTINGS, NEXT_LISTINGS } from '../test/support/collections.ts';
import { openCatalog, type Catalog } from './catalog.ts';
import { startReader } from './beside-rebuild/answers.ts';
import { readListings } from './beside-rebuild/documents.ts';
import { judge } from './beside-rebuild/judge.ts';
import { publishLater, unseen } from './beside-rebuild/later-events.ts';
import { phaseOf } from './beside-rebuild/phase.ts';
import { readersRequests } from './beside-rebuild/requests.ts';
import { requestsOf, startSlices } from './beside-rebuild/slices.ts';
import { figuresOf, type Measurement, type Phased } from './beside-rebuild/verdict.ts';
import type { Benchmark, BenchmarkOptions, Figure } from './report.ts';

/**
 * Readers of the embedded default while a release with another formula makes listings again, cuts over and goes back: how
 * fast they are answered, beside those of the same process that have it for themselves, and whether any of it shows but in
 * the scores. Slices alone run before the build and after it; a build cannot be put aside for two seconds.
 */
export const besideRebuild: Benchmark = {
  name: 'beside-rebuild',
  rows: ['P12'],
  title: 'Readers beside a rebuild with another formula, its cut-over and its rollback',
  run,
};

const SIZE = {
  entries: Number(process.env['BENCH_ENTRIES'] ?? 100_000),
  events: Number(process.env['BENCH_EVENTS'] ?? 1_000_000),
};
const WARMING_SLICES = 5;
/** More than a build of half an hour takes. */
const MOST_SLICES = 600;
/** Entries that are measured once more during the build, and between the cut-over and the rollback. */
const LATER = 500;
const READER_KEYS = 60;

async function run({ pairs, say }: BenchmarkOptions): Promise<readonly Figure[]> {
  await using catalog = await openCatalog({ ...SIZE, say });
  say('making a release with another formula');
  const release = await nextRelease();
  try {
    return figuresOf(await measure(catalog, release.folder, { pairs, say }));
  } finally {
    rmSync(release.folder, { recursive: true, force: true });
  }
}

export async function measure(
  catalog: Catalog,
  release: string,
  { pairs, say }: Pick<BenchmarkOptions, 'pairs' | 'say'>,
): Promise<Measurement> {
  const { installation, port, entries } = catalog;
  const command = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await installation.catalog(args, { release });
    if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
    return stdout;
  };
  await catalog.restart(release);
  // It has begun its build by itself: the one that is measured is to begin when readers have been measured alone.
  await command('drop', NEXT_LISTINGS);
  await using parts = await compose(readConfig(installation.env), 'bench');
  const { documents } = parts;
  const before = await readListings(documents, LISTINGS);
  say('making API keys');
  const keys = await catalog.keys(READER_KEYS);
  using load = startSlices(port, await readersRequests(catalog, requestsOf(MOST_SLICES / 3)));
  const queries = entries.slice(0, 50).map(({ titles: [title = ''] }) => title.split(' ')[0] ?? '');
  const reader = startReader({ port, keys, queries });

  say('warming up');
  await load.slices(WARMING_SLICES);
  say('readers alone');
  const first = await load.slices(Math.ceil(pairs / 2));

  say('readers beside a rebuild');
  const began = performance.now();
  const rebuild = command('rebuild', 'listings', '--cut-over', '--json');
  const later = entries.slice(-LATER);
  const laterSlugs = new Set(later.map(({ slug }) => slug));
  const beside: Phased[] = [];
  let isOver = false;
  const ended = rebuild.finally(() => (isOver = true));
  // It is looked at when the slice in hand is over.
  ended.catch(() => undefined);
  await publishLater(parts, later, 1);
  while (!isOver) {
    const phase = await phaseOf(parts);
    beside.push({ phase, ...(await load.slice()) });
    if (beside.length % 10 === 0) say(`${beside.length} slices, ${phase}`);
  }
  const { build } = JSON.parse(await ended) as { readonly build: string };
  const buildMs = performance.now() - began;
  const after = await readListings(documents, build);

  say('readers alone, on the new build');
  await publishLater(parts, later, 2);
  const second = await load.slices(Math.ceil(pairs / 2));
  const rolledBackAt = performance.now();
  await command('rollback', 'listings');
  const rollbackMs = performance.now() - rolledBackAt;
  const third = await load.slices(3);
  await reader.stop();

  say('comparing documents with the log');
  const untouched = <Value>(all: ReadonlyMap<string, Value>): ReadonlyMap<string, Value> =>
    new Map([...all].filter(([slug]) => !laterSlugs.has(slug)));
  for (const warning of await catalog.warnings()) say(warning);
  const back = await readListings(documents, LISTINGS);
  const unlike = [...untouched(before.digests)].filter(([slug, digest]) => back.digests.get(slug) !== digest);
  const isVerified = await command('verify').then(
    () => true,
    () => false,
  );
  const scores = { old: untouched(before.scores), new: untouched(after.scores) };
  const turns = [
    { to: 'new', from: began },
    { to: 'old', from: rolledBackAt },
  ] as const;
  return {
    alone: { first, second },
    beside,
    afterwards: third,
    buildMs,
    rollbackMs,
    judged: judge(reader.answers, scores, turns),
    differences: unlike.length,
    unseen: await unseen(parts, { port, key: keys.at(-1) ?? '' }, later, 2),
    isVerified,
  };
}
