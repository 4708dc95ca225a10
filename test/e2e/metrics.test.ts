import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { serveApi } from '../../src/compose/api.ts';
import type { Parts } from '../../src/compose/parts.ts';
import { ensureTopics, startProjector } from '../../src/compose/projector.ts';
import { Registry } from '../../src/platform/metrics-registry.ts';
import { LISTINGS } from '../support/collections.ts';
import { temporaryFolder } from '../support/folder.ts';
import { openParts } from '../support/parts.ts';

/** What all kinds of processes show together: `start` is all of them at once. */
const folder = temporaryFolder();
const env = { CATALOG_DATA: folder, HOST: '127.0.0.1', PORT: '0' };
const stack = new AsyncDisposableStack();
let parts: Parts;

beforeAll(async () => {
  parts = stack.use(await openParts(env, { registry: new Registry() }));
  stack.use(await serveApi(parts));
  await ensureTopics(parts);
  await parts.log.append([
    { topic: 'catalog.entries', key: 'bad', value: Buffer.from('neither json'), headers: {} },
  ]);
  stack.use(await startProjector(parts, { acceptGaps: [] }));
});
afterAll(() => stack.disposeAsync());

const page = readFileSync(join(import.meta.dirname, '../../docs/reference/metrics.md'), 'utf8');

const byName = ([a = '']: readonly string[], [b = '']: readonly string[]): number => (a < b ? -1 : 1);

test('docs/reference/metrics.md lists every metric with its type, its labels and its help, and nothing else', () => {
  const listed = [...page.matchAll(/^\| `(catalog_\w+)` +\| (\w+) +\| (.*?) +\| (.+?) +\|$/gm)];
  const shown = parts.registry.getMetricsAsArray().map((metric) => {
    const { name, type, help } = metric as typeof metric & { readonly type: string };
    const { labelNames } = metric as unknown as { readonly labelNames: readonly string[] };
    return [name, type, labelNames.map((label) => `\`${label}\``).join(', ') || '-', help];
  });
  expect(listed.map((row) => row.slice(1)).toSorted(byName)).toEqual(shown.toSorted(byName));
});

test('metrics are named as Prometheus has it: counters end in _total, times are in seconds', async () => {
  for (const { name, type } of await parts.registry.getMetricsAsJSON()) {
    expect(name.endsWith('_total'), name).toBe(String(type) === 'counter');
    expect(name, name).not.toMatch(/_(?:ms|millis|milliseconds|minutes|kb|mb)(?:_|$)/);
  }
});

test('what is parked is shown by its read model, topic and reason', async () => {
  const shown = async () => (await parts.registry.getSingleMetric('catalog_parked_events')?.get())?.values;
  const labels = { read_model: LISTINGS, topic: 'catalog.entries', code: 'not_json' };
  await expect.poll(shown).toContainEqual({ value: 1, labels });
});
