import { rmSync } from 'node:fs';

import { nextRelease } from '../test/support/changed-release.ts';
import { NEXT_LISTINGS } from '../test/support/collections.ts';
import { openCatalog, type Catalog } from './catalog.ts';
import { readersRequests } from './beside-rebuild/requests.ts';
import { requestsOf, type Slice, startSlices } from './beside-rebuild/slices.ts';
import { figuresOf, type Measurement } from './beside-rebuild/verdict.ts';
import type { Benchmark, BenchmarkOptions, Figure } from './report.ts';
import { sizeOr } from './size.ts';

/**
 * Readers of the embedded default while a release with another formula makes listings again and cuts over: how fast they are
 * answered, beside those of the same process that have it for themselves. Slices alone run before the build and after it; a
 * build cannot be put aside for two seconds.
 */
export const besideRebuild: Benchmark = {
  name: 'beside-rebuild',
  rows: ['P12'],
  title: 'Readers beside a rebuild with another formula and its cut-over',
  run,
};

const SIZE = sizeOr({ entries: 100_000, events: 1_000_000 });
const WARMING_SLICES = 5;
/** More than a build of half an hour takes. */
const MOST_SLICES = 600;
async function* run({ pairs, say }: BenchmarkOptions): AsyncGenerator<readonly Figure[]> {
  await using catalog = await openCatalog({ ...SIZE, say });
  say('making a release with another formula');
  const release = await nextRelease();
  try {
    yield figuresOf(await measure(catalog, release.folder, { pairs, say }));
  } finally {
    rmSync(release.folder, { recursive: true, force: true });
  }
}

async function measure(
  catalog: Catalog,
  release: string,
  { pairs, say }: Pick<BenchmarkOptions, 'pairs' | 'say'>,
): Promise<Measurement> {
  const command = async (...args: readonly string[]): Promise<void> => {
    const { code, stderr } = await catalog.installation.catalog(args, { release });
    if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
  };
  await catalog.restart(release);
  // It has begun its build by itself: the one that is measured is to begin when readers have been measured alone.
  await command('builds', 'drop', NEXT_LISTINGS);
  say('making API keys');
  const requests = await readersRequests(catalog, requestsOf(MOST_SLICES / 3));
  await using load = await startSlices(catalog.port, requests);
  say('warming up');
  await load.slices(WARMING_SLICES);
  say('readers alone');
  const first = await load.slices(Math.ceil(pairs / 2));

  say('readers beside a rebuild');
  const began = performance.now();
  const beside: Slice[] = [];
  let isOver = false;
  const ended = command('builds', 'rebuild', 'listings', '--cut-over').finally(() => (isOver = true));
  // It is looked at when the slice in hand is over.
  ended.catch(() => undefined);
  while (!isOver) {
    beside.push(await load.slice());
    if (beside.length % 10 === 0) say(`${beside.length} slices`);
  }
  await ended;
  const buildMs = performance.now() - began;

  say('readers alone, on the new build');
  const second = await load.slices(Math.ceil(pairs / 2));
  for (const warning of await catalog.warnings()) say(warning);
  return { alone: { first, second }, beside, buildMs };
}
