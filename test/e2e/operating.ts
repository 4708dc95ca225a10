import { randomUUID } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { readConfig } from '../../src/config.ts';
import { changeAlias, readAlias } from '../../src/stores/aliases.ts';
import { LISTINGS, readersOf } from '../support/collections.ts';
import { cutLog } from '../support/cut-log.ts';
import { published } from '../support/events.ts';
import { forgetRecords } from '../support/kafka-log.ts';
import { type Mode, openInstalled } from '../support/mode.ts';
import { patiently } from '../support/patiently.ts';
import type { RunCommand } from '../support/process.ts';
import { putDocument, storedIn } from '../support/documents.ts';
import { forAllTests } from '../support/for-each-test.ts';

/** Between two looks at what another process is about to do some time passes: each takes time that it needs. */
const UNHURRIED = { timeout: 60_000, interval: 50 };

/**
 * What operators do: the two halves as processes of their own, keys, parked events, halted lanes, a changed fold. One story on
 * one installation, which on services takes most of a minute to make: so it is one file, and longer than others.
 */
export function operatedCatalog(mode: Mode): void {
  describe.runIf(mode.isHere)(`an operated catalog, ${mode.name}`, () => {
    const installed = forAllTests(() => openInstalled(mode));
    const run: RunCommand = (...asked) => installed.run(...asked);

    async function catalogJson(
      ...args: readonly string[]
    ): Promise<{ readonly code: number; readonly json: Record<string, unknown> }> {
      const { code, stdout, stderr } = await run([...args, '--json']);
      // Progress may be there, on a slow machine.
      expect(stderr).not.toContain('catalog:');
      return { code, json: JSON.parse(stdout) as Record<string, unknown> };
    }

    test('of serve and project, as two processes, the one answers what the other has projected', async () => {
      const { json } = await catalogJson('keys', 'create', '--account', 'acme');
      const project = installed.catalog.start(['project'], { ADMIN_PORT: '0' });
      await project.printed('Projecting.');
      const serve = installed.catalog.start(['serve'], { LOG_LEVEL: 'info' });
      await serve.printed('Serving');
      const input = JSON.stringify(published({ subject: 'served', revision: 1 }));
      expect((await run(['publish', '-', '--wait'], { input })).stdout).toContain(
        'In the documents and the search index',
      );
      const url = `http://127.0.0.1:${installed.catalog.env['PORT']}/api/v1/listings/served`;
      const headers = { 'x-api-key': String(json['key']) };
      const response = await patiently(() => fetch(url, { headers }), serve);
      expect(response.status).toBe(200);
      expect(await serve.stop()).toBe(0);
      expect(await project.stop()).toBe(0);
    });

    test('entries that the search engine does not accept stand in the status with the reason, while the rest is searchable', async () => {
      const { documents } = installed.parts;
      const [stored] = await storedIn<object>(documents, LISTINGS);
      if (!stored) throw new Error('Nothing was published');
      const { id, body } = stored;
      const dirty = { mark: 'refused', reason: 'its title is too long' };
      await putDocument(documents, LISTINGS, id, { ...body, dirty });
      const { stdout } = await run(['status']);
      expect(stdout).toContain(`NOT SEARCHABLE ${id}: the search engine refuses it: its title is too long`);
      const { json } = await catalogJson('status');
      expect(json['search']).toMatchObject([
        { refused: 1, refusals: [{ document: id, reason: 'its title is too long' }] },
      ]);
      expect((await run(['verify'])).stdout).toContain('1 refused');
    });

    test('events that nobody projects are a finding of status and of verify, with exit code 1, until somebody does', async () => {
      const input = JSON.stringify(published({ subject: 'late', revision: 1 }));
      expect((await run(['publish', '-'], { input })).code).toBe(0);
      const { code, json } = await catalogJson('status');
      expect(code).toBe(1);
      expect(json['findings']).toContainEqual(
        expect.objectContaining({ code: 'not_projected', subject: LISTINGS }),
      );
      const verified = await run(['verify']);
      expect(verified.code).toBe(1);
      const notCompared = new RegExp(
        `^${LISTINGS}/\\S+ not compared from \\d+ to \\d+: no projector has it; start one$`,
        'm',
      );
      expect(verified.stdout).toMatch(notCompared);
      const project = installed.catalog.start(['project'], { ADMIN_PORT: '0' });
      await project.printed('Projecting.');
      await expect.poll(async () => (await catalogJson('status')).code, UNHURRIED).toBe(0);
      expect((await run(['verify'])).code).toBe(0);
      const { json: well } = await catalogJson('status');
      expect(well['workers']).toMatchObject([{ ready: true }]);
      await project.stop();
      expect((await catalogJson('status')).json['workers']).toEqual([]);
    });

    describe('parked events', () => {
      test('are listed with their reason, shown with their bytes, redriven and discarded', async () => {
        const readers = readersOf('catalog.entries');
        const unusable = ['{"not":"an event"}', 'neither json'];
        await installed.parts.log.append(unusable.map((value) => record(value, randomUUID())));
        const project = installed.catalog.start(['project'], { ADMIN_PORT: '0' });
        await project.printed('Projecting.');
        const status = async () => (await catalogJson('status')).json;
        await expect.poll(status, UNHURRIED).toMatchObject({ parked: 2 * readers.length });
        const { json } = await catalogJson('parked', 'list');
        const parked = json['parked'] as readonly { readonly id: string; readonly code: string }[];
        const found = parked.map(({ id, code }) => `${id.split('/')[0]} ${code}`);
        const ofEach = readers.flatMap((reader) => [`${reader} bad_envelope`, `${reader} not_json`]);
        expect(found.toSorted()).toEqual(ofEach.toSorted());
        const ids = parked.map(({ id }) => id);
        const [first = ''] = ids;
        expect((await run(['parked', 'show', first])).stdout).toMatch(/neither json|not/);
        expect(await catalogJson('parked', 'redrive', first)).toMatchObject({
          code: 1,
          json: { results: [{ outcome: 'still_rejected' }] },
        });
        const discarded = await installed.catalog.catalog(['parked', 'discard', ...ids], {
          env: { LOG_LEVEL: 'info' },
        });
        expect(discarded.code).toBe(0);
        expect(
          discarded.stderr.match(/"parked":"\S+","outcome":"discarded","msg":"parked event settled"/g),
        ).toHaveLength(ids.length);
        expect((await run(['parked', 'list'])).stdout).toBe('No parked events.\n');
        expect((await run(['parked', 'list', '--topic', 'x'])).stdout).toBe(
          'No parked event is selected by this.\n',
        );
        expect((await catalogJson('verify')).json).toMatchObject({ ok: true });
        await project.stop();
      });

      test('that nobody parked are said not to be there', async () => {
        const { code, stderr } = await run(['parked', 'show', `${LISTINGS}/catalog.entries/0/999`]);
        expect(code).toBe(1);
        expect(stderr).toMatch(/^catalog: There is no parked event .+\n$/);
      });
    });

    test('a fold that has changed under an unchanged version is refused at start, with what to do, by start and by project', async () => {
      const { documents } = installed.parts;
      const alias = await readAlias(documents, 'listings');
      if (!alias) throw new Error('there is no alias');
      const changed = { ...alias, folds: { [alias.version]: 'of another fold' } };
      await changeAlias(documents, 'listings', () => changed);
      for (const command of ['start', 'project']) {
        const { code, stderr } = await installed.catalog.catalog([command]);
        const said = `The fold of ${LISTINGS} has changed, its version has not\\.`;
        expect(stderr).toMatch(new RegExp(`^catalog: ${said} .+\\n$`));
        expect(code).toBe(1);
      }
      await changeAlias(documents, 'listings', () => alias);
    });

    test('a gap halts its lanes and no other, shows in status and readiness, and goes on once it is accepted', async () => {
      const { log } = installed.parts;
      const [place] = await log.append([
        record(JSON.stringify(published({ subject: 'lost', revision: 1 })), 'lost'),
      ]);
      const [kept] = await log.append([
        record(JSON.stringify(published({ subject: 'lost', revision: 2 })), 'lost'),
      ]);
      if (!place || !kept) throw new Error('nothing was appended');
      const { topic, partition } = place;
      const { logUrl } = readConfig(installed.catalog.env);
      if (logUrl.scheme === 'sqlite') cutLog(logUrl.path, topic, partition, kept.position);
      else await forgetRecords(topic, partition, kept.position, logUrl);
      const lanes = readersOf('catalog.entries').map((reader) => `${reader}/${topic}/${partition}`);

      const halted = installed.catalog.start(['project']);
      await halted.printed('Projecting.');
      await expect.poll(haltedLanes, UNHURRIED).toEqual({ code: 1, lanes });
      const ready = `http://127.0.0.1:${installed.catalog.env['ADMIN_PORT']}/readyz`;
      await expect.poll(async () => (await fetch(ready)).status, UNHURRIED).toBe(503);
      await halted.stop();

      const accepting = installed.catalog.start(['project', '--accept-gap', ...lanes]);
      await accepting.printed('Projecting.');
      const caughtUp = async () => {
        const { code, json } = await catalogJson('status');
        const readModels = json['read_models'] as readonly { readonly lag: number }[];
        return code === 0 && readModels.every(({ lag }) => lag === 0);
      };
      await expect.poll(caughtUp, UNHURRIED).toBe(true);
      expect((await catalogJson('verify')).json).toMatchObject({ ok: true });
      expect((await fetch(ready)).status).toBe(200);
      await accepting.stop();
    });

    async function haltedLanes() {
      const { code, stdout } = await run(['status']);
      const lanes = [...stdout.matchAll(/^HALTED (\S+): the log no longer holds/gm)].map(([, lane]) => lane);
      return { code, lanes };
    }

    function record(value: string, key: string | null) {
      return {
        topic: installed.parts.topicName('catalog.entries'),
        key,
        value: Buffer.from(value),
        headers: {},
      };
    }
  });
}
