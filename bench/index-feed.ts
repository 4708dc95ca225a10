import { listings } from '../projections/listings/index.ts';
import { compose, type Parts } from '../src/compose/parts.ts';
import { readConfig } from '../src/config.ts';
import {
  collectionOf,
  type Projection,
  type ReadModelDocument,
} from '../src/projecting/engine/projection.ts';
import { openMeilisearch } from '../src/stores/search/meilisearch/search.ts';
import type { Search, SearchEntry } from '../src/stores/search/port.ts';
import { fillLog } from './filling.ts';
import { feedAll } from './projecting/feed-all.ts';
import { foldAll, HIDDEN } from './projecting/fold-all.ts';
import { informing, shown, type Benchmark, type BenchmarkOptions, type Figure } from './report.ts';
import { sizeOr } from './size.ts';
import { median } from './statistics.ts';

/** From documents to an index that is searched: beside one entry at a time that is waited for, and all of them in one call. */
export const indexFeed: Benchmark = {
  name: 'P8',
  title: 'From documents to the index, 20,000 entries',
  on: 'both',
  run,
};

const SIZE = sizeOr({ entries: 20_000, events: 30_000 });
/** So many entries tell enough of what is slow. */
const ONE_BY_ONE = 1000;
/** All entries in one call are many tasks, and the last of them waits for all: in milliseconds. */
const TASK_MS = 600_000;
/** A round takes half a minute. */
const PAIRS_A_ROUND = 8;

async function run({ pairs, stores, say }: BenchmarkOptions): Promise<readonly Figure[]> {
  await using stage = await stores.install();
  say(`making ${SIZE.events} events on ${SIZE.entries} entries`);
  await fillLog(stage, { ...SIZE, withProbes: false });
  const config = readConfig(stage.env);
  await using parts = await compose(config, 'bench');
  await using patient =
    stores.search === null
      ? null
      : openMeilisearch(stores.search.url, {
          key: stores.search.key,
          prefix: config.searchPrefix,
          taskMs: TASK_MS,
        });
  const search = patient ?? parts.search;
  const rates: Record<'fed' | 'single' | 'whole', number[]> = { fed: [], single: [], whole: [] };
  const rounds = Math.max(1, Math.floor(pairs / PAIRS_A_ROUND));
  for (let round = 0; round < rounds; round += 1) {
    say(`round ${round + 1} of ${rounds}`);
    const projection = { ...listings, build: `fed-${round}` } as Projection;
    await foldAll(parts, projection, { gate: HIDDEN });
    const entries = await entriesOf(parts, projection);
    const { records, seconds } = await feedAll(parts, projection);
    rates.fed.push(records / seconds);
    rates.single.push(await put(search, `single-${round}`, entries.slice(0, ONE_BY_ONE), 1));
    rates.whole.push(await put(search, `whole-${round}`, entries, entries.length));
  }
  const [ours, single, whole] = [median(rates.fed), median(rates.single), median(rates.whole)];
  const [toSingle, toWhole] = [ours / single, whole / ours];
  const besideSingle = 'P8: entries per second, to one at a time';
  return [
    // A file takes one at a time nearly as fast as all at once: there is no wait for a task to save.
    stores.areServices
      ? {
          name: besideSingle,
          value: shown(toSingle),
          goal: 'at least 20, fails below 8',
          verdict: toSingle >= 20 ? 'met' : toSingle >= 8 ? 'missed' : 'failed',
        }
      : informing(besideSingle, shown(toSingle)),
    {
      name: 'P8: time, to that of all in one call',
      value: shown(toWhole),
      goal: 'at most 1.5, fails above 2',
      verdict: toWhole <= 1.5 ? 'met' : toWhole <= 2 ? 'missed' : 'failed',
    },
    informing(
      'entries per second: the feed / one at a time / all in one call',
      [ours, single, whole].map(shown).join(' / '),
    ),
  ];
}

async function entriesOf({ documents }: Parts, projection: Projection): Promise<readonly SearchEntry[]> {
  const entries: SearchEntry[] = [];
  for await (const some of documents.scan<ReadModelDocument>(collectionOf(projection))) {
    for (const { id, body } of some) {
      const entry = projection.searchEntry?.(id, body.view);
      if (entry) entries.push(entry);
    }
  }
  return entries;
}

/** Into an index of its own, so many at a time. Returns entries per second. */
async function put(
  search: Search,
  index: string,
  entries: readonly SearchEntry[],
  atOnce: number,
): Promise<number> {
  await search.declare(index);
  const began = performance.now();
  for (let start = 0; start < entries.length; start += atOnce) {
    const applied = await search.put(index, entries.slice(start, start + atOnce));
    if (applied.outcome === 'failed') throw new Error(applied.reason);
  }
  return (1000 * entries.length) / (performance.now() - began);
}
