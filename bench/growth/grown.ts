import { statSync } from 'node:fs';
import { join } from 'node:path';

import { readConfig } from '../../src/config.ts';
import { install, type Installation } from '../../test/support/process.ts';
import { fillCatalog } from '../catalog.ts';
import type { Entry } from '../filling.ts';
import { type Measured as Process, startMeasured } from '../http/measured.ts';
import { inTurns, type LoadGenerator, startLoad } from '../load/generator.ts';

/** A catalog of one size, with an API that serves it. */
export interface Grown extends AsyncDisposable {
  readonly installation: Installation;
  readonly entries: readonly Entry[];
  readonly api: Process;
  /** From the command to the banner. */
  readonly startS: number;
  /** What documents and index take for an entry, and the log for an event. */
  readonly diskKb: readonly number[];
}

const EVENTS_PER_ENTRY = 1.5;

/** Fills a catalog, times a start over it, and leaves an API running. */
export async function growTo(count: number, say: (what: string) => void): Promise<Grown> {
  await using made = new AsyncDisposableStack();
  const installation = made.use(await install({ CATALOG_SAMPLE: 'off' }));
  const events = count * EVENTS_PER_ENTRY;
  const entries = await fillCatalog({ installation, env: installation.env }, { entries: count, events, say });
  say(`starting over ${count} entries`);
  const startS = await startSeconds(installation);
  const { documentsUrl, searchUrl, logUrl } = readConfig(installation.env);
  const each = [
    [documentsUrl, count],
    [searchUrl, count],
    [logUrl, events],
  ] as const;
  const diskKb = each.map(([url, of]) => ('path' in url ? statSync(url.path).size / 1000 / of : Number.NaN));
  const api = made.use(
    await startMeasured('http/ours.ts', {
      env: { ...installation.env, LOG_LEVEL: 'info' },
      log: join(installation.folder, 'access.log'),
    }),
  );
  const kept = made.move();
  return { installation, entries, api, startS, diskKb, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

async function startSeconds(installation: Installation): Promise<number> {
  const began = performance.now();
  const service = await installation.started();
  const seconds = (performance.now() - began) / 1000;
  await service.stop();
  return seconds;
}

/** Asks for these paths round and round, in the names of all keys; request `i` is for path `i`, modulo their number. */
export function startAsking({ port, keys }: Process, paths: readonly string[]): Promise<LoadGenerator> {
  return startLoad(port, inTurns(keys, paths));
}
