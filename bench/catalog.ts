import { compose, type Parts } from '../src/compose/parts.ts';
import { readConfig } from '../src/config.ts';
import { isBackfilling } from '../src/stores/feed-lease.ts';
import { countMarks } from '../src/stores/outbox.ts';
import { LISTINGS } from '../test/support/collections.ts';
import { lagOf } from '../test/support/lag-of.ts';
import { manyKeys } from '../test/support/many-keys.ts';
import { install, type Installation } from '../test/support/process.ts';
import { fillLog, type Entry } from './filling.ts';
import type { Stage } from './stores.ts';
import { untilDone } from './until-done.ts';

/** The service as it is shipped, in a process of its own, over a simulated catalog that has been projected and indexed. */
export interface Catalog extends AsyncDisposable {
  readonly port: number;
  readonly entries: readonly Entry[];
  readonly installation: Installation;
  /** So many API keys; each may make 1,000 requests. */
  keys(count: number): Promise<readonly string[]>;
  /** Stops the service, and starts the one of another release, in its folder, on the same data. */
  restart(release: string): Promise<void>;
  /** What the service that runs now has warned of: lines of its log. */
  warnings(): Promise<readonly string[]>;
}

export interface CatalogOptions {
  readonly entries: number;
  readonly events: number;
  readonly say: (what: string) => void;
}

export async function openCatalog(options: CatalogOptions): Promise<Catalog> {
  await using opening = new AsyncDisposableStack();
  const installation = opening.use(await install({ CATALOG_SAMPLE: 'off' }));
  const entries = await fillCatalog({ installation, env: installation.env }, options);
  let service = await installation.started();
  const config = readConfig(installation.env);
  opening.defer(async () => void (await service.stop()));
  const opened = opening.move();
  return {
    port: config.port,
    entries,
    installation,
    keys: async (count) => {
      await using own = await compose(config, 'bench');
      return await manyKeys(own, count);
    },
    restart: async (release) => {
      await service.stop();
      service = await installation.started({}, release);
    },
    // It is started with LOG_LEVEL=warn: whatever it logs is one.
    warnings: async () =>
      (await service.printed(/(?:)/)).split('\n').filter((line) => line.startsWith('{"level"')),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Fills the log with a simulated history, and runs the service until it is projected and indexed. Returns what is published then. */
export async function fillCatalog(
  { env, installation }: Pick<Stage, 'env' | 'installation'>,
  { entries, events, say }: CatalogOptions,
): Promise<readonly Entry[]> {
  say(`making ${events} events on ${entries} entries`);
  const published = await fillLog({ env }, { entries, events });
  const service = await installation.started(env);
  await using parts = await compose(readConfig(env), 'bench');
  await untilDone({ left: () => leftIn(parts), everyMs: 200, by: () => [service], say });
  await service.stop();
  return published;
}

/** Events that the documents have not taken in, entries that the index has not, and one where it is not known to be whole. */
async function leftIn(parts: Parts): Promise<number> {
  const { put, remove } = await countMarks(parts.documents, LISTINGS);
  const isPart = await isBackfilling(parts.documents, LISTINGS);
  return (await lagOf(parts)) + put + remove + Number(isPart);
}
