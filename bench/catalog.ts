import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, openSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

import { composeKeys } from '../src/compose/access.ts';
import { compose, type Parts } from '../src/compose/parts.ts';
import { readConfig } from '../src/config.ts';
import { readProgress } from '../src/projecting/inspect/progress.ts';
import { countMarks } from '../src/stores/outbox.ts';
import { LISTINGS } from '../test/support/collections.ts';
import { install, type Installation } from '../test/support/process.ts';

/** The service as it is shipped, in a process of its own, over a simulated catalog that has been projected and indexed. */
export interface Catalog extends AsyncDisposable {
  readonly port: number;
  readonly entries: readonly Entry[];
  /** So many API keys; each may make 1,000 requests. */
  keys(count: number): Promise<readonly string[]>;
}

export interface Entry {
  readonly slug: string;
  readonly username: string;
  readonly titles: readonly string[];
}

export interface CatalogOptions {
  readonly entries: number;
  readonly events: number;
  readonly say: (what: string) => void;
}

export async function openCatalog({ entries, events, say }: CatalogOptions): Promise<Catalog> {
  const installation = await install({ CATALOG_SAMPLE: 'off' });
  try {
    const file = join(installation.folder, 'events.ndjson');
    say(`simulating ${entries} entries, ${events} events`);
    await simulate(installation, file, ['--entries', entries, '--events', events, '--days', 30, '--seed', 1]);
    const published = await installation.catalog(['publish', file]);
    if (published.code !== 0) throw new Error(published.stderr);
    const service = installation.start(['start']);
    await service.printed('Ctrl-C stops.');
    const config = readConfig(installation.env);
    await using parts = await compose(config, 'bench');
    await untilFed(parts, say);
    let accounts = 0;
    return {
      port: config.port,
      entries: await readEntries(file),
      keys: async (count) => {
        await using own = await compose(config, 'bench');
        const keys = await composeKeys(own);
        const made: string[] = [];
        while (made.length < count) {
          const created = await keys.create(`bench-${accounts}`);
          if (created.outcome === 'created') made.push(created.key);
          else accounts += 1;
        }
        return made;
      },
      [Symbol.asyncDispose]: async () => {
        await service.stop();
        await installation[Symbol.asyncDispose]();
      },
    };
  } catch (thrown) {
    await installation[Symbol.asyncDispose]();
    throw thrown;
  }
}

export async function simulate(
  { env, folder }: Installation,
  file: string,
  options: readonly (string | number)[],
): Promise<void> {
  const main = join(import.meta.dirname, '../src/main.ts');
  const output = openSync(file, 'w');
  const child = spawn(process.execPath, [main, 'simulate', ...options.map(String)], {
    env,
    cwd: folder,
    stdio: ['ignore', output, 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('simulating failed');
}

/** Until the documents have taken in the whole log, and the index the documents. */
async function untilFed(parts: Parts, say: (what: string) => void): Promise<void> {
  for (;;) {
    const lag = (await readProgress(parts)).reduce((sum, lane) => sum + lane.lag, 0);
    const { put, remove } = await countMarks(parts.documents, LISTINGS);
    if (lag + put + remove === 0) return;
    say(`${lag} events to project, ${put + remove} entries to index`);
    await sleep(10_000);
  }
}

/** Those that are published at the end: the history stands in the order of time. */
async function readEntries(file: string): Promise<readonly Entry[]> {
  const entries = new Map<string, Entry>();
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (!line.includes('"type":"catalog.entry.')) continue;
    const { type, subject, data } = JSON.parse(line) as EntryEvent;
    const { username, title } = data;
    if (type === 'catalog.entry.unpublished.v1') entries.delete(subject);
    else if (username !== undefined && title !== undefined) {
      entries.set(subject, { slug: subject, username, titles: Object.values(title) });
    }
  }
  return [...entries.values()];
}

interface EntryEvent {
  readonly type: string;
  readonly subject: string;
  /** Publishing alone has both. */
  readonly data: { readonly username?: string; readonly title?: Readonly<Record<string, string>> };
}
