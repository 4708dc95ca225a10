import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Parts } from '../../src/compose/parts.ts';
import { readBuild } from '../../src/stores/builds.ts';
import { nextRelease } from '../support/changed-release.ts';
import { LISTINGS, NEXT_LISTINGS } from '../support/collections.ts';
import { disorderlyHistory } from '../support/histories.ts';
import { clearAway, EMBEDDED, type Mode } from '../support/mode.ts';
import { freePort } from '../support/free-ports.ts';
import { manyKeys } from '../support/many-keys.ts';
import { type Installation, type Running, type RunCommand } from '../support/process.ts';
import { commandsHere } from '../support/run-here.ts';
import { readScores, type Formula, type ScoreReader } from '../support/score-reader.ts';
import { copyScores, entryOf, learnScores, measuresOf } from '../support/scored-entries.ts';
import { openParts } from '../support/parts.ts';

const ENTRIES = 40;
/** On a slow machine it takes longer, and readers ask all the while. */
const KEYS = 240;
/** Lines that are published at once: more of them do not fit into a string. */
const PORTION = 100_000;

type Release = 'A' | 'B';

/**
 * Two releases on the same stores, two API processes and two projectors: from A to B, the switch, and back to A. A reader
 * asks both API processes all the time. Each test goes on where the one before has ended. `events` are those of a history
 * that is there before, beside the entries that the test makes.
 */
export function rollingReleases(mode: Mode, { events }: { readonly events: number }): void {
  describe.runIf(mode.isHere)(
    `two releases, ${events} events, ${mode.name}`,
    { timeout: 900_000 + events * 3 },
    () => {
      let catalog: Installation;
      let parts: Parts;
      let reader: ScoreReader;
      let here: RunCommand;
      const folders: Record<Release, string | undefined> = { A: undefined, B: undefined };
      const processes = new Map<string, Running>();
      const scores = { old: new Map<string, number>(), new: new Map<string, number>() };
      let goal: Formula = 'old';
      let late = 0;
      const ports: Record<string, number> = {};

      beforeAll(async () => {
        catalog = await mode.install({ CATALOG_SAMPLE: 'off' });
        for (const name of ['serve 1', 'serve 2']) ports[name] = await freePort();
        here = commandsHere(catalog);
        parts = await openParts(catalog.env);
        folders.B = (await nextRelease()).folder;
        const keys = await manyKeys(parts, KEYS + Math.ceil(events / 500));
        reader = readScores({ scores, keys, q: 'orbit', goal: () => goal });
      });
      afterAll(async () => {
        await reader.stop();
        if (mode !== EMBEDDED) await clearAway(parts);
        await parts[Symbol.asyncDispose]();
        await catalog[Symbol.asyncDispose]();
      });

      test('A alone: two API processes answer what two projectors have made', async () => {
        await run('project 1', 'A');
        await run('project 2', 'A');
        const history = disorderlyHistory({ entries: Math.ceil(events / 10), events, seed: 13 });
        for (let from = 0; from < history.length; from += PORTION) {
          await publishLines(history.slice(from, from + PORTION));
        }
        await publish(Array.from({ length: ENTRIES }, (_, index) => measuresOf(`entry-${index}`, index)));
        await publish(Array.from({ length: ENTRIES }, (_, index) => entryOf(`entry-${index}`, index)));
        await run('serve 1', 'A');
        await run('serve 2', 'A');
        await isClean('A');
      });

      test('one projector of B builds beside the live one, while one of A goes on', async () => {
        await replace('project 1', 'B');
        await readOn();
        await isBuilt();
        await learnScores(parts.documents, scores);
        await isClean('A', 'B');
        expect(reader.seen()).toEqual({ 'serve 1': 'old', 'serve 2': 'old' });
      });

      test('a cut-over refuses while an API process of A serves, and names it', async () => {
        await replace('serve 1', 'B');
        const { code, stderr } = await command('B', ['builds', 'cut-over', 'listings']);
        expect(code).toBe(1);
        const pid = processes.get('serve 2')?.child.pid;
        expect(stderr).toMatch(
          new RegExp(
            `${LISTINGS} is still live: \\S+:${pid} serves readers and cannot serve ${NEXT_LISTINGS}: `,
          ),
        );
        await readOn();
        await isClean('A', 'B');
      });

      test('B alone goes on with both builds, after the last projector of A was killed', async () => {
        await replace('serve 2', 'B');
        await replace('project 2', 'B', 'SIGKILL');
        await readOn();
        await isClean('B');
      });

      test('a cut-over under readers and writers fails no request, and no answer mixes the formulas', async () => {
        await switchTo('new', ['builds', 'cut-over', 'listings']);
        await isClean('B');
      });

      test('a rollback under readers and writers brings the old scores back, with what came since', async () => {
        await switchTo('old', ['builds', 'roll-back', 'listings']);
        await isClean('B');
      });

      test('back to A, one process after the other', async () => {
        await replace('serve 1', 'A');
        await replace('project 1', 'A');
        await readOn();
        await isClean('A', 'B');
        await replace('serve 2', 'A');
        await replace('project 2', 'A', 'SIGKILL');
        await readOn();
        await isClean('A');
      });

      test('forward again, while a projector of A still has the live build: B catches up with what A has left alone, and cuts over', async () => {
        for (const name of ['project 1', 'serve 1', 'serve 2']) await replace(name, 'B');
        await readOn();
        await switchTo('new', ['builds', 'cut-over', 'listings']);
        await isClean('B');
        // What it keeps up to date beside it.
        expect((await command('A', ['verify', '--build', LISTINGS])).code).toBe(0);
        await replace('project 2', 'B');
        await isClean('B');
      });

      test('readers have asked all the while', async () => {
        await isFaultless();
        expect(reader.answers).toBeGreaterThan(500);
      });

      /** Publishes while readers read: new entries, like others in all that a score is made of. */
      async function readOn(): Promise<void> {
        const [from, index] = [reader.answers, late];
        late += 1;
        const slug = `late-${index}`;
        await publish([measuresOf(slug, index % ENTRIES)]);
        await publish([entryOf(slug, index % ENTRIES)]);
        // What readers have seen once they go on seeing, whatever is switched.
        await expect.poll(() => reader.shows(slug)).toBe(true);
        copyScores(scores, slug, `entry-${index % ENTRIES}`);
        await expect.poll(() => reader.answers).toBeGreaterThan(from + 10);
        await isFaultless();
      }

      async function isFaultless(): Promise<void> {
        const said = [];
        for (const [name, process] of reader.faults.length > 0 ? processes : [])
          said.push(`${name}: ${await process.printed('')}`);
        expect(reader.faults, said.join('\n')).toEqual([]);
      }

      async function switchTo(formula: Formula, args: readonly string[]): Promise<void> {
        let isOver = false;
        const everywhere = { 'serve 1': formula, 'serve 2': formula };
        const switching = async () => {
          goal = formula;
          const { code, stderr } = await command('B', args);
          expect(code, stderr).toBe(0);
          await expect.poll(() => reader.seen()).toEqual(everywhere);
        };
        const writing = async () => {
          while (!isOver) await readOn();
        };
        await Promise.all([switching().finally(() => (isOver = true)), writing()]);
        await readOn();
        expect(reader.seen()).toEqual(everywhere);
      }

      /** Every document is what the log says, by the command of each of these releases; so is every entry of the index. */
      async function isClean(...releases: readonly Release[]): Promise<void> {
        await isFaultless();
        for (const release of releases) {
          const { code, stdout } = await command(release, ['verify']);
          expect({ release, code, stdout }).toMatchObject({ code: 0 });
        }
      }

      async function isBuilt(): Promise<void> {
        const completed = async () => (await readBuild(parts.documents, NEXT_LISTINGS))?.completed_at ?? null;
        await expect.poll(completed, { timeout: 900_000, interval: 500 }).not.toBeNull();
      }

      async function publish(told: readonly object[]): Promise<void> {
        await publishLines(told.map((event) => JSON.stringify(event)));
      }

      async function publishLines(lines: readonly string[]): Promise<void> {
        const { stdout, stderr } = await here(['publish', '-', '--wait'], { input: lines.join('\n') });
        expect(stdout, stderr).toMatch(/In the documents and the search index/);
      }

      function command(release: Release, args: readonly string[]) {
        const folder = folders[release];
        return catalog.catalog(args, folder === undefined ? {} : { release: folder });
      }

      function start(name: string, release: Release): { readonly running: Running; readonly url: string } {
        const port = ports[name] ?? 0;
        const [word = ''] = name.split(' ');
        const running = catalog.start(
          [word],
          { PORT: String(port), ADMIN_PORT: '0', LOG_LEVEL: 'info' },
          folders[release],
        );
        processes.set(name, running);
        return { running, url: `http://127.0.0.1:${port}` };
      }

      async function run(name: string, release: Release): Promise<void> {
        const { running, url } = start(name, release);
        await running.printed(name.startsWith('serve') ? 'Serving' : 'Projecting.');
        if (name.startsWith('serve')) reader.open(name, url, running);
      }

      /** As a front does it: nothing is asked of a process that is about to stop. */
      async function stop(name: string, signal?: NodeJS.Signals): Promise<void> {
        await reader.close(name);
        await processes.get(name)?.stop(signal);
      }

      async function replace(name: string, release: Release, signal?: NodeJS.Signals): Promise<void> {
        await stop(name, signal);
        await run(name, release);
      }
    },
  );
}
