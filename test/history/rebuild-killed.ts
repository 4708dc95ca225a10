import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { lanesOf } from '../../src/projecting/engine/lane.ts';
import { canonical } from '../../src/platform/canonical.ts';
import type { Json } from '../../src/platform/json-value.ts';
import type { ReadModelDocument } from '../../src/projecting/engine/projection.ts';
import type { Documents } from '../../src/stores/documents/port.ts';
import { readAlias } from '../../src/stores/aliases.ts';
import { LISTINGS } from '../support/collections.ts';
import { disorderlyHistory, seeded } from '../support/histories.ts';
import { clearAway, EMBEDDED, type Mode } from '../support/mode.ts';
import type { Finished, Running } from '../support/process.ts';
import { commandsHere } from '../support/run-here.ts';
import { openParts } from '../support/parts.ts';
import { storedIn } from '../support/documents.ts';

const BUILD = `${LISTINGS}-b2`;
const LOOK_MS = 10;

interface Rebuild {
  readonly entries: number;
  readonly events: number;
  /** How often projectors are killed while they build. */
  readonly kills: number;
  readonly projectors: number;
}

export function killedRebuild(mode: Mode, { entries, events, kills, projectors }: Rebuild): void {
  describe.runIf(mode.isHere)(`a rebuild ${mode.name}`, () => {
    test(`of ${events} events that is killed ${kills} times, and once in the cut-over, ends in the bytes of one that was left alone`, async () => {
      await using catalog = await mode.install({ CATALOG_SAMPLE: 'off' });
      await using parts = await openParts(catalog.env);
      await using cleared = new AsyncDisposableStack();
      if (mode !== EMBEDDED) cleared.defer(() => clearAway(parts));
      const { documents } = parts;
      const here = commandsHere(catalog);
      const file = join(catalog.folder, 'history.ndjson');
      writeFileSync(file, disorderlyHistory({ entries, events, seed: 11 }).join('\n'));
      const running = Array.from({ length: projectors }, started);
      for (const projector of running) await projector.printed('Projecting.');
      await done(['publish', file, '--wait', '--json']);

      await done(['builds', 'rebuild', 'listings', '--detach']);
      const random = seeded(Number(process.env['TEST_SEED']));
      const places: number[] = [];
      for (let kill = 0; kill < kills; kill += 1) {
        await consumedAtLeast(documents, (events * (kill + random())) / (kills + 1) / 2);
        // One of them in turn, and in the end all at once.
        const victims = kill === kills - 1 ? [...running.keys()] : [kill % projectors];
        await Promise.all(victims.map(async (victim) => await running[victim]?.stop('SIGKILL')));
        places.push(await consumed(documents));
        for (const victim of victims) running[victim] = started();
      }
      // What was written before a kill is not read again.
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      const isReady = async (): Promise<boolean> =>
        JSON.parse((await done(['builds', 'list', '--json'])).stdout).builds.some(
          ({ build, state }: { build: string; state: string }) => build === BUILD && state === 'ready',
        );
      await expect.poll(isReady, { timeout: 600_000, interval: 500 }).toBe(true);

      // The command is killed while the lanes keep quiet for it.
      const killed = catalog.start(['builds', 'cut-over', 'listings', '--to', BUILD]);
      while ((await readAlias(documents, 'listings'))?.pause === null) {
        if (killed.child.exitCode !== null) break;
        await pause(LOOK_MS);
      }
      await killed.stop('SIGKILL');
      const live = (await readAlias(documents, 'listings'))?.collection;
      expect([LISTINGS, BUILD]).toContain(live);
      // Where it did not come to the switch, the pause runs out, and a projector goes on by itself.
      await expect
        .poll(async () => (await readAlias(documents, 'listings'))?.pause, { timeout: 60_000 })
        .toBeNull();
      const { code, stderr } = await here(['builds', 'cut-over', 'listings', '--to', BUILD]);
      const isDone = live === BUILD;
      expect({ code, stderr }).toEqual({
        code: isDone ? 1 : 0,
        stderr: expect.stringContaining(isDone ? 'is live already' : 'is kept up to date') as string,
      });
      expect((await readAlias(documents, 'listings'))?.collection).toBe(BUILD);
      expect(await bytesOf(documents, BUILD)).toBe(await bytesOf(documents, LISTINGS));
      expect(JSON.parse((await done(['verify', '--json'])).stdout)).toMatchObject({ ok: true });
      await done(['builds', 'roll-back', 'listings']);
      expect((await readAlias(documents, 'listings'))?.collection).toBe(LISTINGS);
      for (const projector of running) expect(await projector.stop()).toBe(0);

      function started(): Running {
        return catalog.start(['project'], { ADMIN_PORT: '0' });
      }

      async function done(args: readonly string[]): Promise<Finished> {
        const finished = await here(args);
        expect(finished.code, `${args.join(' ')}: ${finished.stderr}`).toBe(0);
        return finished;
      }
    }, 900_000);
  });
}

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
  const lines = (await storedIn<ReadModelDocument>(documents, build)).map(
    ({ id, body: { registers, view } }) => `${id} ${canonical({ registers, view } as Json)}`,
  );
  expect(lines.length).toBeGreaterThan(0);
  return lines.join('\n');
}
