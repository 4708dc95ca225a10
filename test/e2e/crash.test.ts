import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { readSearchProgress } from '../../src/projecting/inspect/search-progress.ts';
import { verifySearch } from '../../src/projecting/inspect/search-verify.ts';
import { listings } from '../../projections/listings/index.ts';
import { CATEGORIES, LISTINGS, MONITOR } from '../support/collections.ts';
import { disorderlyHistory } from '../support/histories.ts';
import { install } from '../support/process.ts';
import { commandsHere } from '../support/run-here.ts';
import { sizeOf } from '../support/sizes.ts';
import { openParts } from '../support/parts.ts';
import { lagOf } from '../support/lag-of.ts';

const ENTRIES = sizeOf('CRASH_ENTRIES');
const EVENTS = sizeOf('CRASH_EVENTS');
const KILLS = sizeOf('CRASH_KILLS');
/** Between two looks at how far another process has come: each takes time that it needs. */
const LOOK_MS = 20;

test(`${EVENTS} shuffled and duplicated events, and ${KILLS} times kill -9 in the middle: nothing is lost, nothing counts twice, and a deleted index is filled again`, async () => {
  await using catalog = await install({ CATALOG_SAMPLE: 'off' });
  const file = join(catalog.folder, 'history.ndjson');
  writeFileSync(file, disorderlyHistory({ entries: ENTRIES, events: EVENTS, seed: 7 }).join('\n'));
  const published = await commandsHere(catalog)(['publish', file, '--json']);
  expect(published.code, published.stderr).toBe(0);
  expect(JSON.parse(published.stdout)).toMatchObject({ appended: EVENTS, invalid: 0 });

  await using parts = await openParts(catalog.env);
  let service = catalog.start(['project']);
  let killedBusy = 0;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await service.printed('Projecting.');
    const lag = await lagAtMost(EVENTS * (1 - kill / (KILLS + 1)));
    killedBusy += lag > 0 ? 1 : 0;
    await service.stop('SIGKILL');
    service = catalog.start(['project']);
  }
  await lagAtMost(0);
  expect(killedBusy).toBeGreaterThan(0);

  await fed();
  const verified = JSON.parse((await commandsHere(catalog)(['verify', '--json'])).stdout);
  expect(verified, JSON.stringify(verified, null, 1)).toMatchObject({ ok: true });
  const entries: number = verified.search[0].entries;
  expect(entries).toBeGreaterThan(0);
  // Each event is one of theirs; other read models may be made of the same ones.
  const records = verified.read_models
    .filter(({ read_model }: { read_model: string }) => [LISTINGS, CATEGORIES, MONITOR].includes(read_model))
    .reduce((sum: number, model: { records: number }) => sum + model.records, 0);
  expect(records).toBe(EVENTS);

  // Under the running service: nothing has to be started again, or told.
  for (const ending of ['', '-wal', '-shm'])
    rmSync(join(catalog.folder, `data/search.db${ending}`), { force: true });
  const { documents, search } = parts;
  const signal = AbortSignal.timeout(60_000);
  const index = () => verifySearch(listings, { documents, search, signal });
  await expect.poll(index, { timeout: 60_000, interval: 500 }).toMatchObject({ ok: true, entries });
  expect(await service.stop()).toBe(0);

  async function fed(): Promise<void> {
    const waiting = async () =>
      (await readSearchProgress(listings, parts.documents, await parts.documents.now())).waiting;
    await expect.poll(waiting, { timeout: 60_000 }).toBe(0);
  }

  async function lagAtMost(lag: number): Promise<number> {
    for (;;) {
      const now = await lagOf(parts);
      if (now <= lag) return now;
      await pause(LOOK_MS);
    }
  }
}, 600_000);
