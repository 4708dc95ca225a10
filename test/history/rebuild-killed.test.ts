import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { compose } from '../../src/compose/parts.ts';
import { readConfig } from '../../src/config.ts';
import { lanesOf } from '../../src/projecting/builds/lanes.ts';
import { canonical } from '../../src/platform/canonical.ts';
import type { Json } from '../../src/platform/json.ts';
import type { ReadModelDocument } from '../../src/projecting/engine/projection.ts';
import type { Documents } from '../../src/stores/documents/port.ts';
import { readAlias } from '../../src/stores/live.ts';
import { LISTINGS } from '../support/collections.ts';
import { disorderlyHistory } from '../support/histories.ts';
import { install, type Finished } from '../support/process.ts';
import { sizeOf } from '../support/sizes.ts';

const ENTRIES = sizeOf('REBUILD_ENTRIES');
const EVENTS = sizeOf('REBUILD_EVENTS');
const KILLS = sizeOf('REBUILD_KILLS');
const BUILD = `${LISTINGS}-b2`;
const LOOK_MS = 10;

test(`a rebuild of ${EVENTS} events that is killed ${KILLS} times, and once in the cut-over, ends in the bytes of one that was left alone`, async () => {
  await using catalog = await install({ CATALOG_SAMPLE: 'off' });
  const file = join(catalog.folder, 'history.ndjson');
  writeFileSync(file, disorderlyHistory({ entries: ENTRIES, events: EVENTS, seed: 11 }).join('\n'));
  let service = catalog.start(['project']);
  await service.printed('Projecting.');
  await done(['publish', file, '--wait', '--json']);

  await done(['rebuild', 'listings', '--detach']);
  await using parts = await compose(readConfig(catalog.env), 'test');
  const { documents } = parts;
  const places: number[] = [];
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await consumedAtLeast(documents, (EVENTS * kill) / (KILLS + 2) / 2);
    await service.stop('SIGKILL');
    places.push(await consumed(documents));
    service = catalog.start(['project']);
  }
  // What was written before a kill is not read again.
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  const ready = ['versions', '--json'];
  const isReady = async (): Promise<boolean> =>
    JSON.parse((await done(ready)).stdout).builds.some(
      ({ build, state }: { build: string; state: string }) => build === BUILD && state === 'ready',
    );
  await expect.poll(isReady, { timeout: 120_000, interval: 500 }).toBe(true);

  // The command is killed while the lanes keep quiet for it.
  const killed = catalog.start(['cut-over', 'listings', '--to', BUILD]);
  while ((await readAlias(documents, 'listings'))?.pause === null) {
    if (killed.child.exitCode !== null) break;
    await pause(LOOK_MS);
  }
  await killed.stop('SIGKILL');
  const live = (await readAlias(documents, 'listings'))?.collection;
  expect([LISTINGS, BUILD]).toContain(live);
  // Where it did not come to the switch, the pause runs out, and the projector goes on by itself.
  await expect
    .poll(async () => (await readAlias(documents, 'listings'))?.pause, { timeout: 30_000 })
    .toBeNull();
  const again = await catalog.catalog(['cut-over', 'listings', '--to', BUILD]);
  expect(again.stderr).toMatch(live === BUILD ? 'is live already' : `is kept up to date`);
  expect((await readAlias(documents, 'listings'))?.collection).toBe(BUILD);
  expect(await bytesOf(documents, BUILD)).toBe(await bytesOf(documents, LISTINGS));
  expect(JSON.parse((await done(['verify', '--json'])).stdout)).toMatchObject({ ok: true });
  await done(['rollback', 'listings']);
  expect((await readAlias(documents, 'listings'))?.collection).toBe(LISTINGS);
  expect(await service.stop()).toBe(0);

  async function done(args: readonly string[]): Promise<Finished> {
    const finished = await catalog.catalog(args);
    expect(finished.code, `${args.join(' ')}: ${finished.stderr}`).toBe(0);
    return finished;
  }
}, 900_000);

async function consumed(documents: Documents): Promise<number> {
  const lanes = await lanesOf(documents, BUILD);
  return lanes.reduce((sum, { position }) => sum + position, 0);
}

/** Waits until the build has come so far, or has read everything there is. */
async function consumedAtLeast(documents: Documents, records: number): Promise<void> {
  while ((await consumed(documents)) < records) await pause(LOOK_MS);
}

/** Everything that is stored of a build, but the tokens of its writes and what its index has still to be told. */
async function bytesOf(documents: Documents, build: string): Promise<string> {
  const lines: string[] = [];
  for await (const batch of documents.scan<ReadModelDocument>(build))
    for (const { id, body } of batch)
      lines.push(`${id} ${canonical({ registers: body.registers, view: body.view } as Json)}`);
  expect(lines.length).toBeGreaterThan(0);
  return lines.join('\n');
}
