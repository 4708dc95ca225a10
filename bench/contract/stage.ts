import { hash } from 'node:crypto';
import { join } from 'node:path';

import { readConfig } from '../../src/config.ts';
import { fillCatalog } from '../catalog.ts';
import { type Measured, startMeasured } from '../http/measured.ts';
import type { Request } from '../load/messages.ts';
import type { BenchmarkOptions } from '../report.ts';
import { sizeOr } from '../size.ts';
import { openAfternoonStore } from './afternoon-store.ts';
import type { Recorded } from './constant.ts';
import { askBefore, firstMinute } from './day-under-way.ts';
import { keysOfContract } from './keys.ts';
import { contractRequests } from './requests.ts';

/** Requests: more than are asked for in all slices, as a second round would go beyond the day of many keys. */
const FULL = { entries: 100_000, events: 200_000, keys: 1_000_000, requests: 1_500_000 };
const QUICK = { entries: 2000, events: 6000, keys: 20_000, requests: 250_000 };
/** Each has keys of its own: what is asked for in one leaves the days of the others alone. */
const ROWS = ['C1', 'C1 without', 'C2', 'C4'] as const;
/** Entries whose tags readers know. */
const TAGGED = 2000;
/** What is the same for everybody, as the load asks for it. */
const COMMON = ['/top?limit=20', '/categories', '/status'];

/** The service over a catalog with all the keys that the contract's load needs, and what it is compared with. */
export interface ContractStage extends AsyncDisposable {
  readonly ours: Measured;
  afternoon(): Promise<Measured>;
  constant(): Promise<Measured>;
  /**
   * What a row asks of this server, whose tags its readers know. It is a day under way (`askBefore`), and ours is
   * past its first minute, in which it trusts no look at notices.
   */
  requests(row: (typeof ROWS)[number], server: Measured): Promise<readonly Request[]>;
}

export async function contractStage({ stores, quick, say }: BenchmarkOptions): Promise<ContractStage> {
  const size = sizeOr(quick ? QUICK : FULL);
  await using opening = new AsyncDisposableStack();
  const stage = opening.use(await stores.install());
  const entries = await fillCatalog(stage, { ...size, say });
  say(`making ${size.keys} keys`);
  const { env, keys } = await keysOfContract({ ...stage.env, LOG_LEVEL: 'info' }, size.keys);
  const start = (file: string, argument: unknown): Promise<Measured> =>
    startMeasured(file, {
      env,
      log: join(stage.installation.folder, file.replace(/.*\/|ts$/g, '') + 'log'),
      arguments: [typeof argument === 'string' ? argument : JSON.stringify(argument)],
    });
  const ours = opening.use(await start('http/ours.ts', 'contract'));
  const trusting = firstMinute();
  // As the load asks: without an encoding. Each of these keys is drawn but seldom.
  const ask = (path: string, index: number, more = {}, { port } = ours): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      headers: { 'x-api-key': keys.at(-1 - index) ?? '', 'accept-encoding': 'identity', ...more },
    });
  const askListing = (index: number, more = {}, server = ours): Promise<Response> =>
    ask(`/listings/${entries[index]?.slug}`, index, more, server);
  const common = (): Promise<readonly (readonly [string, Response])[]> =>
    Promise.all(
      COMMON.map(async (path, index) => [path.replace(/\?.*/, ''), await ask(path, index)] as const),
    );
  const open = opening.move();
  return {
    ours,
    async afternoon() {
      await using store = await openAfternoonStore(readConfig(env));
      await store.takeIn(keys.map((key) => hash('sha256', key)));
      const kept: Record<string, unknown> = {};
      for (const [path, answer] of await common()) kept[path] = await answer.json();
      return await start('contract/afternoon.ts', kept);
    },
    async constant() {
      const tag = (await askListing(0)).headers.get('etag') ?? '';
      const answers = {
        ...Object.fromEntries(await common()),
        '/listings': await askListing(1),
        304: await askListing(0, { 'if-none-match': tag }),
        404: await ask('/listings/nobody-0', 2),
        401: await askListing(1, { 'x-api-key': 'bad-0' }),
      };
      const recorded: Record<string, Recorded> = {};
      for (const [kind, answer] of Object.entries(answers)) recorded[kind] = await recordedOf(answer);
      return await start('contract/constant.ts', recorded);
    },
    async requests(row, server) {
      const tags: string[] = [];
      for (const index of entries.slice(0, TAGGED).keys()) {
        const answer = await askListing(index, {}, server);
        await answer.arrayBuffer();
        tags.push(answer.headers.get('etag') ?? '');
      }
      const own = keys.filter((_, index) => index % ROWS.length === ROWS.indexOf(row));
      say(`asking with each of ${own.length} keys`);
      if (server === ours) await trusting;
      await askBefore(server, own);
      return contractRequests(size.requests, {
        keys: own,
        entries,
        tags,
        withSearch: row === 'C1' || row === 'C4',
      });
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** What a server says of its connections is said by the other one anew. */
async function recordedOf(answer: Response): Promise<Recorded> {
  const headers = Object.fromEntries(answer.headers);
  for (const name of ['connection', 'keep-alive', 'transfer-encoding']) delete headers[name];
  return { status: answer.status, headers, body: await answer.text() };
}
