import { GOALS } from '../goals.ts';
import type { Load } from '../http/measured.ts';
import type { Request } from '../load/messages.ts';
import { alternate, ratiosBy } from '../pairs.ts';
import { type BenchmarkOptions, compared, type Figure, required, shown, sides } from '../report.ts';
import { percentile } from '../statistics.ts';
import { STATUSES } from './requests.ts';
import type { ContractStage } from './stage.ts';

/** Of as many requests one is a good one. */
const OF = 5;
/** Bad ones that differ; some of them are as long as a request may not be. */
const BADS = 3000;
/** Of the requests a second that it answers as fast as it can. */
const STEADY = 0.5;
/** What an answer to somebody without a key may be at most, in bytes: whoever asks for it wins nothing. */
const LARGEST = 16 * 1024;
/** More than a request line may hold. */
const LONG = 'a'.repeat(12_000);
const REFUSED = [400, 414, 431];

/** Good requests among four times as many that have bad keys, unknown slugs and addresses without end; beside good ones alone at their rate. */
export async function besideFlood(
  stage: ContractStage,
  options: BenchmarkOptions,
): Promise<readonly Figure[]> {
  const { ours } = stage;
  const { sliceMs, say } = options;
  // The keys of both are the same, and each has one day.
  const [good, goodAlone] = halvesOf(await stage.requests('C4', ours));
  const bads = Array.from({ length: BADS }, (_, index) => bad(index));
  const mixed = Uint32Array.from({ length: OF * good.length }, (_, index) =>
    index % OF === 0 ? index / OF : good.length + (index % BADS),
  );
  await using alone = await ours.load(goodAlone, STATUSES);
  await using among = await ours.load([...good, ...bads], [...STATUSES, ...REFUSED], mixed);
  const perSecond = STEADY * (await among.slice(sliceMs)).perSecond;
  say(`${shown(perSecond)} requests a second, of which one in ${OF} is a good one`);
  const p99 = async (load: Load, rate: number, isGood: (index: number) => boolean): Promise<number> => {
    const { latencies, indexes } = await load.steady(rate, 2 * sliceMs);
    return percentile(
      latencies.filter((_, at) => isGood(indexes[at] ?? 0)),
      0.99,
    );
  };
  const steady = await alternate({
    ...options,
    warming: 1,
    a: () => p99(among, perSecond, (index) => index % OF === 0),
    b: () => p99(alone, perSecond / OF, () => true),
  });
  const sizes = await Promise.all(bads.slice(0, 2 * OF).map((one) => sizeOf(ours.port, one)));
  const largest = Math.max(...sizes);
  return [
    ...compared(
      'C4: p99 of good requests in a flood, to that of good ones alone',
      GOALS.C4,
      ratiosBy(steady, Number),
    ),
    sides('C4: p99, ms: in a flood / alone', steady, Number),
    required(
      'C4: the largest answer without a key, bytes',
      String(largest),
      `at most ${LARGEST}`,
      largest <= LARGEST,
    ),
  ];
}

function halvesOf(requests: readonly Request[]): readonly [readonly Request[], readonly Request[]] {
  return [requests.filter((_, at) => at % 2 === 0), requests.filter((_, at) => at % 2 === 1)];
}

function bad(index: number): Request {
  const headers = index % 3 === 0 ? {} : { 'x-api-key': `bad-${index}` };
  const path = [
    `/api/v1/listings/nobody-${index}`,
    `/api/v1/search?q=${LONG}`,
    `/${index}/${LONG}`,
    '/api/v1/top?limit=x',
  ][index % 4];
  return { path: path ?? '/', headers };
}

async function sizeOf(port: number, { path, headers }: Request): Promise<number> {
  return (await (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).arrayBuffer()).byteLength;
}
