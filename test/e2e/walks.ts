import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, test } from 'vitest';

import type { CloudEvent } from '../../src/events/envelope.ts';
import { published, unpublished } from '../support/events.ts';
import type { Mode } from '../support/mode.ts';
import { patiently } from '../support/patiently.ts';
import type { Installation } from '../support/process.ts';
import { untilReady } from '../support/readyz.ts';

/** How long an answer may say of the past, and a busy machine take, until a question has another one. */
const UNHURRIED = { timeout: 60_000, interval: 200 };
const MOST_FILES = 25;

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/walks.md'), 'utf8');

/** A function that a walk names; `on` is null where both sets of stores have it. */
interface Step {
  readonly file: string;
  readonly name: string;
  readonly on: string | null;
}

const walks = page
  .split(/^## /m)
  .slice(1)
  .map((section) => ({ title: section.split('\n', 1)[0] ?? '', steps: stepsOf(section) }));

function stepsOf(section: string): readonly Step[] {
  const named = section.matchAll(
    /^ *(?:\d+\. )?`(?<file>[^`]+\.ts)` `(?<name>[^`]+)`(?: \((?<on>files|services)\))?:/gm,
  );
  return [...named].map(({ groups = {} }) => ({
    file: groups['file'] ?? '',
    name: groups['name'] ?? '',
    on: groups['on'] ?? null,
  }));
}

/** Takes the walks of docs/walks.md; `stores` are those whose steps are its own. */
export function walkedCode(mode: Mode, stores: 'files' | 'services'): void {
  let run: Promise<ReadonlySet<string>> | null = null;
  describe.runIf(mode.isHere)(`a walk through the code, ${mode.name}`, () => {
    test.each(walks)('$title: is short, and comes by each function that it names', async ({ steps }) => {
      expect(steps.length).toBeGreaterThan(10);
      expect(new Set(steps.map(({ file }) => file)).size).toBeLessThanOrEqual(MOST_FILES);
      const reached = await (run ??= walk(mode));
      const missed = steps
        .filter(({ on }) => on === null || on === stores)
        .filter(({ file, name }) => !reached.has(`${file} ${name}`));
      expect(missed).toEqual([]);
    });
  });
}

/** The functions that are called while an entry is published, listed, found, rebuilt, switched and unpublished. */
async function walk(mode: Mode): Promise<ReadonlySet<string>> {
  await using catalog = await mode.install({ CATALOG_SAMPLE: 'off', LOG_LEVEL: 'info' });
  const folder = join(catalog.folder, 'coverage');
  mkdirSync(folder);
  const env = { NODE_V8_COVERAGE: folder };
  const catalogCommand = async (args: readonly string[], input?: CloudEvent): Promise<string> => {
    const finished = await catalog.catalog(args, { env, ...(input ? { input: JSON.stringify(input) } : {}) });
    expect(finished).toMatchObject({ code: 0 });
    return finished.stdout;
  };
  const { key } = JSON.parse(await catalogCommand(['keys', 'create', '--account', 'acme', '--json'])) as {
    readonly key: string;
  };
  const running = catalog.start(['start'], env);
  await untilReady(catalog);
  const ask = async (path: string): Promise<Response> =>
    await patiently(() => fetch(urlOf(catalog, path), { headers: { 'x-api-key': key } }), running);
  await catalogCommand(
    ['publish', '-', '--wait'],
    published({ subject: 'walked', revision: 1, title: { en: 'Walked news' } }),
  );
  expect((await ask('listings/walked')).status).toBe(200);
  const found = async (): Promise<unknown> =>
    ((await (await ask('search?q=walked+news')).json()) as { readonly total: number }).total;
  await expect.poll(found, UNHURRIED).toBe(1);
  await catalogCommand(['builds', 'rebuild', 'listings']);
  await catalogCommand(['builds', 'cut-over', 'listings']);
  await catalogCommand(['publish', '-', '--wait'], unpublished({ subject: 'walked', revision: 2 }));
  await expect.poll(async () => (await ask('listings/walked')).status, UNHURRIED).toBe(404);
  expect(await running.stop()).toBe(0);
  return calledIn(folder);
}

function urlOf({ env }: Installation, path: string): string {
  return `http://127.0.0.1:${env['PORT']}/api/v1/${path}`;
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly count: number }[];
    }[];
  }[];
}

/** `src/file.ts function`, of all processes and threads that have written what they called. */
function calledIn(folder: string): ReadonlySet<string> {
  const called = new Set<string>();
  const base = `${pathToFileURL(root).href}/`;
  for (const file of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Coverage;
    for (const { url, functions } of result) {
      for (const { functionName, ranges } of functions) {
        if ((ranges[0]?.count ?? 0) > 0) called.add(`${url.replace(base, '')} ${functionName}`);
      }
    }
  }
  return called;
}
