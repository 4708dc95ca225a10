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
import { GOALS } from './goals.ts';
import { alternate, ratiosBy } from './pairs.ts';
import { compared, informing, shown, type Benchmark, type BenchmarkOptions, type Figure } from './report.ts';
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
/** A round takes most of a minute on services. */
const PAIRS_A_ROUND = 8;
const WARMING = 1;

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
  const entries = await entriesOf(parts, await folded(parts, 'read'));
  // As rates: a slice of the peer's, beside one of the feed's, is how many times as long the feed takes.
  const measured = await alternate({
    pairs: Math.max(1, Math.floor(pairs / PAIRS_A_ROUND)),
    warming: WARMING,
    a: async () => await put(search, 'whole', entries, entries.length),
    b: async (turn) => await fed(parts, `fed-${turn}`),
    say,
  });
  const single = await put(search, 'single', entries.slice(0, ONE_BY_ONE), 1);
  const ours = median(measured.map(({ b }) => b));
  const whole = median(measured.flatMap(({ a }) => a));
  const rates = informing(
    'entries per second: the feed / one at a time / all in one call',
    [ours, single, whole].map(shown).join(' / '),
  );
  return [
    toSingle(ours / single, stores.areServices),
    ...compared(
      'P8: time, to that of all in one call',
      GOALS.P8,
      ratiosBy(measured, (rate) => rate),
    ),
    rates,
  ];
}

/** A file takes one at a time nearly as fast as all at once: there is no wait for a task to save. */
function toSingle(ratio: number, areServices: boolean): Figure {
  const name = 'P8: entries per second, to one at a time';
  if (!areServices) return informing(name, shown(ratio));
  const verdict = ratio >= 20 ? 'met' : ratio >= 8 ? 'missed' : 'failed';
  return { name, value: shown(ratio), goal: 'at least 20, fails below 8', verdict };
}

/** A build of its own, with everything folded and nothing told to an index. */
async function folded(parts: Parts, build: string): Promise<Projection> {
  const projection = { ...listings, build } as Projection;
  await foldAll(parts, projection, { gate: HIDDEN });
  return projection;
}

/** Entries per second, from documents to a searchable index. */
async function fed(parts: Parts, build: string): Promise<number> {
  const { records, seconds } = await feedAll(parts, await folded(parts, build));
  return records / seconds;
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

/** Into an index of its own, which is dropped afterwards, so many at a time. Returns entries per second. */
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
  const ms = performance.now() - began;
  await search.drop(index);
  return (1000 * entries.length) / ms;
}
