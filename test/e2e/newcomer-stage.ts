import { expect } from 'vitest';

import type { Parts } from '../../src/compose/parts.ts';
import { clearAway, type Mode } from '../support/mode.ts';
import { expectDocumented } from '../support/openapi-validation.ts';
import { patiently } from '../support/patiently.ts';
import type { Installation, RunCommand, Running } from '../support/process.ts';
import { untilReady } from '../support/readyz.ts';
import { commandsHere } from '../support/run-here.ts';
import { openParts } from '../support/parts.ts';

/** What a newcomer has: one real process on the sample, and the command line in a second terminal. */
export interface Newcomer extends AsyncDisposable {
  readonly catalog: Installation;
  readonly run: RunCommand;
  /** The process that runs now. */
  service: Running;
  readonly parts: Parts;
  /** The address that the first start has printed. */
  readonly base: string;
  /** The key that the first start has printed. */
  readonly key: string;
  readonly readiness: ReturnType<typeof untilReady>;
  /** Asks the API with that key. The answer has been held to the OpenAPI document. */
  get(path: string): Promise<{ readonly status: number; readonly body: Record<string, unknown> }>;
  /** Publishes from the second terminal, and waits until the events are projected. */
  publish(...events: readonly object[]): Promise<void>;
}

/** An entry of the sample. */
export const SLUG = 'durov';

export const CONTENT = {
  kind: 'channel',
  subtype: 'broadcast',
  username: SLUG,
  title: { en: 'Republished' },
  tags: [],
  verified: true,
  flags: [],
  links: [],
  category: 'news',
  published_at: '2026-01-01T00:00:00Z',
} as const;

/** `prepare` is what happens to the installation before the first start. */
export async function openNewcomer(
  mode: Mode,
  prepare: (catalog: Installation, parts: Parts) => Promise<void>,
): Promise<Newcomer> {
  await using opened = new AsyncDisposableStack();
  const catalog = opened.use(await mode.install());
  const run = commandsHere(catalog);
  const parts = opened.use(await openParts(catalog.env));
  opened.defer(() => clearAway(parts));
  await prepare(catalog, parts);
  const running = { service: catalog.start(['start'], { LOG_LEVEL: 'info' }) };
  opened.defer(async () => void (await running.service.stop('SIGKILL')));
  const readiness = untilReady(catalog);
  const banner = await running.service.printed('Ctrl-C stops.');
  const base = /Catalog Read API: (\S+)/.exec(banner)?.[1] ?? '';
  const key = /Demo key: (\S+)/.exec(banner)?.[1] ?? '';
  const kept = opened.move();
  return Object.assign(running, {
    catalog,
    run,
    parts,
    base,
    key,
    readiness,
    get: async (path: string) => {
      const asked = () => fetch(`${base}/api/v1${path}`, { headers: { 'x-api-key': key } });
      const response = await patiently(asked);
      const body = await expectDocumented(response, path);
      return { status: response.status, body: body as Record<string, unknown> };
    },
    publish: async (...events: readonly object[]) => {
      const input = events.map((event) => JSON.stringify(event)).join('\n');
      const { code, stderr } = await run(['publish', '-', '--wait'], { input });
      expect(code, stderr).toBe(0);
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  });
}
