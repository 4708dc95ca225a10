import { join } from 'node:path';

import { LARGEST_ALLOTMENT } from '../src/access/quota/allotment.ts';
import { createRandom } from '../src/sample/random.ts';
import { fillCatalog } from './catalog.ts';
import { askOnce, firstMinute } from './contract/day-under-way.ts';
import { keysOfContract } from './contract/keys.ts';
import { GOALS } from './goals.ts';
import { type Slice, startMeasured } from './http/measured.ts';
import { alternateLoads, ratiosBy } from './pairs.ts';
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
const SIZE = sizeOr({ entries: 2000, events: 6000, keys: 1_000_000, requests: 800_000 });
/** A place that goes on writes once in so many requests, and has the others in hand. */
const WRITES_ONCE_IN = LARGEST_ALLOTMENT;

async function* run(options: BenchmarkOptions): AsyncGenerator<readonly Figure[]> {
  const { stores, say } = options;
  await using stage = await stores.install();
  const entries = await fillCatalog(stage, { ...SIZE, say });
  say(`making ${SIZE.keys} keys`);
  const { env, keys } = await keysOfContract({ ...stage.env, LOG_LEVEL: 'info' }, SIZE.keys);
  await using api = await startMeasured('http/ours.ts', {
    env,
    log: join(stage.installation.folder, 'access.log'),
    arguments: ['contract'],
  });
  // Its first minute begins with the first request.
  await fetch(`http://127.0.0.1:${api.port}/api/v1/categories`, { headers: { 'x-api-key': keys[0] ?? '' } });
  await firstMinute();
  // A million keys have not asked often enough by then to write at the rate of a whole day. So some have nothing in hand
  // when the measuring begins, and one request in twenty is the second one of another one of these.
  const spent = keys.slice(0, Math.min(SIZE.requests / WRITES_ONCE_IN, keys.length / 2));
  const holding = keys.slice(spent.length);
  say(`asking twice with each of ${holding.length} keys, and once with ${spent.length}`);
  await askOnce(api, keys);
  await askOnce(api, holding);
  const random = createRandom('keys');
  const any = <Item>(list: readonly Item[]): Item => list[Math.floor(random.uniform() * list.length)] as Item;
  const drawn = (keyOf: (index: number) => string) =>
    Array.from({ length: SIZE.requests }, (_, index) => ({
      path: `/api/v1/listings/${any(entries).slug}`,
      headers: { 'x-api-key': keyOf(index) },
    }));
  const few = holding.slice(0, FEW);
  // What was published at the end of the history may be gone since.
  await using ofAll = await api.load(
    drawn(
      (index) => (index % WRITES_ONCE_IN === 0 ? spent[index / WRITES_ONCE_IN] : undefined) ?? any(holding),
    ),
  );
  await using ofFew = await api.load(drawn(() => any(few)));
  const measured = await alternateLoads(options, ofAll, ofFew);
  const documents = ({ stores: { accessRead, accessWritten }, requests }: Slice): string =>
    `${shown(accessRead / requests)} / ${shown(accessWritten / requests)}`;
  const [last] = measured.slice(-1);
  yield [
    ...compared(
      `P14: processor time a request, ${keys.length} keys in use to ${FEW}`,
      GOALS['P14 keys'],
      ratiosBy(measured, ({ cpuPerRequest }) => cpuPerRequest),
    ),
    sides('the same, µs: many keys / few', measured, ({ cpuPerRequest }) => cpuPerRequest),
    informing('documents read / written a request, many keys', last ? documents(last.a[1]) : '-'),
  ];
}
