import { join } from 'node:path';

import { createRandom } from '../src/sample/random.ts';
import { fillCatalog } from './catalog.ts';
import { askOnce, firstMinute } from './contract/day-under-way.ts';
import { keysOfContract } from './contract/keys.ts';
import { GOALS } from './goals.ts';
import { type Slice, startMeasured } from './http/measured.ts';
import { alternate, ratiosBy } from './pairs.ts';
import {
  type Benchmark,
  type BenchmarkOptions,
  compared,
  type Figure,
  informing,
  shown,
  sides,
} from './report.ts';
import { sizeOr } from './size.ts';

/** The same listings in the names of few keys and of very many, each as likely as the others. */
export const keysInUse: Benchmark = {
  name: 'keys',
  rows: ['P14'],
  title: 'What a request costs with a thousand keys in use, and with a million',
  on: 'both',
  run,
};

const FEW = 1000;
const SIZE = sizeOr({ entries: 2000, events: 6000, keys: 1_000_000, requests: 400_000 });
const WARMING = 3;

async function run({ pairs, sliceMs, stores, say }: BenchmarkOptions): Promise<readonly Figure[]> {
  await using stage = await stores.install();
  const entries = await fillCatalog(stage, { ...SIZE, say });
  say(`making ${SIZE.keys} keys`);
  const { env, keys } = await keysOfContract({ ...stage.env, LOG_LEVEL: 'info' }, SIZE.keys);
  await using api = await startMeasured('http/ours.ts', {
    env,
    log: join(stage.installation.folder, 'access.log'),
    arguments: ['contract'],
  });
  await firstMinute();
  say(`asking once with each of ${keys.length} keys`);
  await askOnce(api, keys);
  const random = createRandom('keys');
  const any = <Item>(list: readonly Item[]): Item => list[Math.floor(random.uniform() * list.length)] as Item;
  const drawn = (from: readonly string[]) =>
    Array.from({ length: SIZE.requests }, () => ({
      path: `/api/v1/listings/${any(entries).slug}`,
      headers: { 'x-api-key': any(from) },
    }));
  // What was published at the end of the history may be gone since.
  await using ofAll = await api.load(drawn(keys));
  await using ofFew = await api.load(drawn(keys.slice(0, FEW)));
  const measured = await alternate({
    pairs,
    warming: WARMING,
    a: () => ofAll.slice(sliceMs),
    b: () => ofFew.slice(sliceMs),
    say,
  });
  const documents = ({ stores: { accessRead, accessWritten }, requests }: Slice): string =>
    `${shown(accessRead / requests)} / ${shown(accessWritten / requests)}`;
  const [last] = measured.slice(-1);
  return [
    ...compared(
      `P14: processor time a request, ${keys.length} keys in use to ${FEW}`,
      GOALS['P14 keys'],
      ratiosBy(measured, ({ cpuPerRequest }) => cpuPerRequest),
    ),
    sides('the same, µs: many keys / few', measured, ({ cpuPerRequest }) => cpuPerRequest),
    informing('documents read / written a request, many keys', last ? documents(last.a[1]) : '-'),
  ];
}
