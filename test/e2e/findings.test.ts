import { join } from 'node:path';

import { beforeAll, describe, expect, test, vi } from 'vitest';

import { compose, type Parts } from '../../src/compose/parts.ts';
import { ensureTopics, startProjector } from '../../src/compose/projector.ts';
import { readConfig } from '../../src/config.ts';
import { partitionOf } from '../../src/events/log/partition.ts';
import type { Finding } from '../../src/findings/finding.ts';
import { findingPhrases, lineOf, type Phrase } from '../../src/findings/finding-texts.ts';
import { ACTS, beginNote } from '../../src/operations/act-notes.ts';
import { readStatus } from '../../src/operations/status.ts';
import { RetryableError } from '../../src/platform/errors.ts';
import { CHECKPOINTS } from '../../src/projecting/engine/lane.ts';
import { PARKED } from '../../src/projecting/engine/parking.ts';
import { BUILDS } from '../../src/stores/builds.ts';
import { changeDocument } from '../../src/stores/documents/change.ts';
import type { CollectionSpec } from '../../src/stores/documents/port.ts';
import { FEED_LEASES } from '../../src/stores/feed-lease.ts';
import { IDENTITY } from '../../src/stores/identity.ts';
import { LAGS } from '../../src/stores/lag.ts';
import { ALIASES } from '../../src/stores/live.ts';
import { WORKERS } from '../../src/stores/workers.ts';
import { fill } from '../../src/texts/fill.ts';
import { formats } from '../../src/texts/formats.ts';
import { type Locale, TEXTS } from '../../src/texts/texts.ts';
import { CATEGORIES, LISTINGS, MONITOR } from '../support/collections.ts';
import { published } from '../support/events.ts';
import {
  brokenCopy,
  renderingsOf,
  SILENT,
  tight,
  type Fault,
  type Renderings,
} from '../support/findings-stage.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runHere } from '../support/run-here.ts';

/**
 * Faults of an installation, and that status, doctor, `/readyz`, the operator page in both languages and the figures of the
 * alerts say the same of each: what, of whom, since when, and what to do. Where one rightly says nothing, the table says why.
 */

const ANYTHING = /^/;
const NOBODY_ASKED = { silent: 'no process runs that could be asked' };
const OF_OTHERS = { silent: 'this process has what it needs: it is the work of another one, or nobody’s' };
const UNMEASURED = { silent: 'no figure is shown of it: who looks is told' };
const FEEDER = { silent: 'the process that feeds shows it, and none does so here' };

interface Row {
  readonly what: readonly [Finding['severity'], Finding['code'], subject: string];
  /** Whether anybody knows since when. */
  readonly since: boolean;
  /** Which check says it. */
  readonly readyz: 'projector' | 'documents' | 'search' | { readonly silent: string };
  readonly alert: RegExp | { readonly silent: string };
  readonly doctor?: { readonly silent: string };
}

const ENTRIES = (at: number): string => `${LISTINGS}/catalog.entries/${at}`;
const PROBES = (at: number): string => `${MONITOR}/monitor.probes/${at}`;
const CATEGORY = `${CATEGORIES}/catalog.categories/0`;

/** Of a lane of this projector, in a state. */
function ofLane(state: string, ...what: Row['what']): Row {
  const alert = new RegExp(`^catalog_lane_state\\{lane="${what[2]}",state="${state}"\\} 1$`, 'm');
  return { what, since: true, readyz: 'projector', alert };
}

/** Which this process does not have to be ready for. */
function beside(alert: Row['alert'], since: boolean, ...what: Row['what']): Row {
  return { what, since, readyz: OF_OTHERS, alert };
}

function unasked(since: boolean, ...what: Row['what']): Row {
  return { what, since, readyz: NOBODY_ASKED, alert: NOBODY_ASKED };
}

const THERE = { where: 'there:2', ok: true, detail: '', lanes: {} };
const ENTRY = { name: LISTINGS, indexes: [] };

async function change({ documents }: Parts, spec: CollectionSpec, id: string, next: object): Promise<void> {
  if (!(await documents.collections()).includes(spec.name)) await documents.declare(spec);
  await changeDocument<object>(documents, spec.name, id, (stored) => ({ ...stored?.body, ...next }));
}

/** One record that no fold reads, where it stands in the way. */
async function append({ log, topicName }: Parts, topic: string, partition: number): Promise<void> {
  const keys = Array.from({ length: 100 }, (_, at) => `k${at}`);
  const key = keys.find((one) => partitionOf(one, 6) === partition) ?? null;
  await log.append([{ topic: topicName(topic), key, value: Buffer.from('{}'), headers: {} }]);
}

const SCENES: Readonly<Record<string, Fault & { readonly empty?: true; readonly rows: readonly Row[] }>> = {
  'lanes that do not go on': {
    provoke: async (parts, now) => {
      await change(parts, CHECKPOINTS, ENTRIES(0), { halted: { reason: 'gap', from: 3, to: 9 } });
      await change(parts, CHECKPOINTS, ENTRIES(1), {
        halted: { reason: 'log_younger', position: 7, latest: 2 },
      });
      const replaced = { reason: 'log_replaced', position: 7, time: 1000, found: 2000 };
      await change(parts, CHECKPOINTS, ENTRIES(2), { halted: replaced });
      for (const partition of [1, 2]) await append(parts, 'monitor.probes', partition);
      await change(parts, WORKERS, 'other', { ...THERE, at: now, ok: false, detail: 'the disk is full' });
    },
    lanes: {
      ...Object.fromEntries([0, 1, 2].map((at) => [ENTRIES(at), { state: 'halted' }])),
      [ENTRIES(3)]: { state: 'halted', reason: 'the log is another one' },
      [ENTRIES(4)]: { state: 'paused', reason: 'the disk is full' },
      [ENTRIES(5)]: { state: 'claiming', reason: 'the disk is full' },
      [PROBES(2)]: null,
      [CATEGORY]: { state: 'paused', since: 10_500, reason: 'the disk is full' },
    },
    rows: [
      ...[0, 1, 2, 3].map((at) => ofLane('halted', 'problem', 'halted', ENTRIES(at))),
      ofLane('paused', 'problem', 'paused', ENTRIES(4)),
      ofLane('claiming', 'problem', 'not_claimed', ENTRIES(5)),
      ofLane('stalled', 'problem', 'stalled', PROBES(1)),
      ofLane('paused', 'note', 'paused', CATEGORY),
      beside(/^catalog_lanes_without_owner 1$/m, true, 'problem', 'no_owner', PROBES(2)),
      beside({ silent: 'its own process shows it' }, false, 'problem', 'not_ready', 'there:2'),
    ],
  },
  'documents that wait for somebody': {
    provoke: async (parts, now) => {
      const rejection = {
        code: 'bad_data',
        reason: 'odd',
        id: null,
        source: null,
        type: null,
        subject: null,
      };
      const event = { readModel: LISTINGS, topic: 'catalog.entries', state: 'parked', rejection };
      await change(parts, PARKED, `${ENTRIES(0)}/0`, { ...event, parkedAt: now - 60_000 });
      const announcing = { name: 'announcing', indexes: [] };
      await change(parts, announcing, parts.topicName('catalog.rejected'), { trouble: 'It is not ours.' });
      await change(parts, ENTRY, 'served', { dirty: { mark: 'refused', reason: 'its title is too long' } });
      await parts.documents.declare(ACTS);
      const note = await beginNote(parts.documents, { kind: 'verify', subject: '' });
      const report = { ok: false, results: [], indexes: [], uncompared: [], unfolded: [] };
      await note.say({ state: 'done', result: { code: 'differs' }, report });
      await change(parts, ALIASES, 'listings', { beside: ['listings@98', 'listings@99'] });
      const build = { targets: {}, began_at: now - 60_000, completed_at: null };
      await change(parts, BUILDS, 'listings@98', build);
      await change(parts, BUILDS, 'listings@99', { ...build, completed_at: now });
    },
    rows: [
      beside(/^catalog_parked_events\{.+\} 1$/m, true, 'note', 'parked', 'events'),
      beside(UNMEASURED, false, 'note', 'not_announced', 'rejections'),
      beside(FEEDER, false, 'note', 'not_searchable', 'served'),
      beside(UNMEASURED, true, 'problem', 'differs', 'documents'),
      beside(UNMEASURED, false, 'note', 'unknown_fold', 'listings@99'),
      beside(UNMEASURED, true, 'note', 'upgrade_ready', 'listings@99'),
      beside(UNMEASURED, true, 'note', 'never_complete', 'listings@98'),
    ],
  },
  'nobody projects, and nothing waits': {
    runs: false,
    rows: [unasked(true, 'note', 'no_projector', 'all read models')],
  },
  'nobody projects, and events, probes and an index wait': {
    runs: false,
    provoke: async (parts) => {
      await append(parts, 'catalog.entries', 0);
      await append(parts, 'monitor.probes', 0);
      await change(parts, ENTRY, 'served', { dirty: { mark: 'put' } });
    },
    rows: [
      unasked(true, 'problem', 'not_projected', LISTINGS),
      unasked(true, 'problem', 'not_projected', MONITOR),
      unasked(false, 'problem', 'not_fed', LISTINGS),
    ],
  },
  'the clock of the store was put back by an hour': {
    runs: false,
    provoke: async (parts, now) => {
      const at = now + 3_600_000;
      for (const build of [LISTINGS, MONITOR, CATEGORIES]) await change(parts, LAGS, build, { at });
      await change(parts, WORKERS, 'other', { ...THERE, at });
    },
    rows: [unasked(true, 'note', 'no_projector', 'all read models')],
  },
  'nobody has ever projected': {
    empty: true,
    runs: false,
    provoke: async (parts) => {
      await ensureTopics(parts);
      await parts.documents.declare(ALIASES);
      await parts.search.check();
    },
    rows: [
      {
        ...unasked(false, 'problem', 'never_projected', 'all read models'),
        readyz: 'search',
        alert: /^catalog_api_ready\{check="documents"\} 0$/m,
        doctor: {
          silent: 'it is asked before a first start, too: the release is said to make everything then',
        },
      },
    ],
  },
  'a build that has not caught up, and whose index is filled': {
    provoke: async (parts, now) => {
      await change(parts, BUILDS, LISTINGS, { completed_at: null });
      await change(parts, FEED_LEASES, LISTINGS, {
        seal: null,
        behind_since: now - 60_000,
        until: now + 60_000,
      });
    },
    rows: [
      {
        ...beside(/^catalog_api_ready\{check="documents"\} 0$/m, true, 'problem', 'never_complete', LISTINGS),
        readyz: 'documents',
      },
      {
        ...beside(/^catalog_api_ready\{check="search"\} 0$/m, true, 'note', 'filling', LISTINGS),
        readyz: 'search',
      },
    ],
  },
  ...Object.fromEntries(
    [
      { trouble: 'The engine is down.', age: 60_000, lasts: 60_000 },
      { trouble: null, age: 1_200_000, lasts: 60_000 },
      { trouble: null, age: 60_000, lasts: 0 },
    ].map(({ trouble, age, lasts }) => [
      `an index that was not fed for ${age} ms, by a feeder that lasts ${lasts} ms and says ${trouble}`,
      {
        provoke: async (parts: Parts, now: number) => {
          await change(parts, FEED_LEASES, LISTINGS, {
            trouble,
            behind_since: now - age,
            until: now + lasts,
          });
          await change(parts, ENTRY, 'served', { dirty: { mark: 'put' } });
        },
        rows: [beside(FEEDER, true, 'problem', 'not_fed', LISTINGS)],
      },
    ]),
  ),
};

/** Stores that cannot be used end a start, with one sentence: so no process runs that has a page, or is ready. */
const BROKEN: Readonly<Record<string, Fault & { readonly says: RegExp }>> = {
  'documents that are damaged': {
    damage: 'documents',
    says: /documents\.db is damaged or is not a database/,
  },
  'a log that is damaged': { damage: 'log', says: /log\.db is damaged or is not a database/ },
  'documents of an earlier format': {
    provoke: (parts) => change(parts, IDENTITY, 'store', { format: 1 }),
    says: /documents\.db was made by an earlier release/,
  },
  'documents of a later format': {
    provoke: (parts) => change(parts, IDENTITY, 'store', { format: 99 }),
    says: /documents\.db was made by a later release/,
  },
};

let template: string;
beforeAll(async () => {
  template = join(temporaryFolder(), 'data');
  await using parts = await compose(readConfig({ CATALOG_DATA: template }), 'test', SILENT);
  await using _projector = await startProjector(parts, { acceptGaps: [] });
  const value = Buffer.from(JSON.stringify(published({ subject: 'served', revision: 1 })));
  await parts.log.append([{ topic: parts.topicName('catalog.entries'), key: 'served', value, headers: {} }]);
  const isWell = async () => {
    const { findings, read_models } = await readStatus(parts, AbortSignal.timeout(10_000));
    const documents = read_models.map((one) => [one.documents, one.lag]);
    expect([findings, documents[0]]).toEqual([[], [1, 0]]);
  };
  await vi.waitFor(isWell, { timeout: 60_000, interval: 100 });
}, 90_000);

const plain = (said: Phrase): string =>
  tight(said.map((piece) => (typeof piece === 'string' ? piece : piece.quoted)).join(''));

/** Clocks stand still in a projector of a test, and go on in its store. */
function isNear(one: string | null, other: string | null): boolean {
  return one === other || Math.abs(Date.parse(one ?? '') - Date.parse(other ?? '')) < 5000;
}

function sinceIn(locale: Locale, since: string | null, earlierMs: number): string {
  if (since === null) return '';
  const moment = formats(locale).moment(new Date(Date.parse(since) - earlierMs).toISOString());
  return tight(fill(TEXTS[locale].findings.since, { since: moment }, locale));
}

describe.each(Object.entries(SCENES))('%s:', (_name, { rows, empty, ...fault }) => {
  let shown: Renderings;
  beforeAll(async () => {
    shown = await renderingsOf(empty ? null : template, fault);
  }, 60_000);

  test.each(rows.map((row) => [...row.what, row] as const))(
    '%s %s %s is told alike',
    (severity, code, subject, row) => {
      const isIt = (one: Finding): boolean => one.code === code && one.subject === subject;
      const told = shown.status.find(isIt);
      if (!told) throw new Error(`status has ${JSON.stringify(shown.status)}`);
      const { message, ...finding } = told;
      const { since } = finding;
      expect([finding.severity, message, since !== null]).toEqual([severity, lineOf(finding), row.since]);
      expect(Date.parse(since ?? '2026-01-01')).toBeLessThanOrEqual(Date.now());

      const moment = since === null ? '' : ` (since ${since})`;
      const advised = shown.doctor
        .filter(({ area, name }) => area === 'findings' && name === subject)
        .map(({ message: says, hint }) => `${says.slice(0, says.length - moment.length)} ${hint}${moment}`);
      expect(advised.filter((line) => line === message)).toEqual(row.doctor ? [] : [message]);

      const ready = shown.readyz.flatMap(({ name, findings = [] }) =>
        findings.filter(isIt).map((one) => [name, one]),
      );
      const nearly = { asymmetricMatch: (other: string | null) => isNear(other, since) };
      expect(ready).toEqual(
        typeof row.readyz === 'string' ? [[row.readyz, { ...finding, since: nearly }]] : [],
      );

      for (const locale of ['en', 'ru'] as const) {
        const { says, advice } = findingPhrases(finding, locale);
        // A minute may have begun meanwhile.
        const lines = [0, 3000].map((ms) => `${plain(says)}${plain(advice)}${sinceIn(locale, since, ms)}`);
        expect(
          lines.filter((line) => shown[locale].includes(line)),
          lines[0],
        ).not.toEqual([]);
      }
      expect(shown.metrics).toMatch(row.alert instanceof RegExp ? row.alert : ANYTHING);
    },
  );
});

test.each(Object.entries(BROKEN))(
  '%s are told with one sentence, and nothing starts on them',
  async (_name, { says, ...fault }) => {
    const env = await brokenCopy(template, fault);
    const { stdout } = await runHere(['status', '--json'], env);
    expect(JSON.parse(stdout)).toMatchObject({ error: { message: expect.stringMatching(says) as string } });
    expect((await runHere(['doctor'], env)).stdout).toMatch(new RegExp(`PROBLEM .*${says.source}`));
    const { code, stderr } = await runHere(['project'], { ...env, ADMIN_PORT: '0' });
    expect([code, stderr]).toEqual([1, expect.stringMatching(says)]);
  },
);

test('a search index that is damaged degrades the API: status asks no engine, and its feeder has not failed yet', async () => {
  const shown = await renderingsOf(template, { damage: 'search' });
  const says = /search\.db is damaged or is not a database/;
  expect(shown.status).toEqual([]);
  expect(shown.doctor.find(({ verdict }) => verdict === 'problem')?.message).toMatch(says);
  const check = shown.readyz.find(({ name }) => name === 'search');
  expect(check).toMatchObject({
    ok: true,
    degraded: true,
    findings: [{ code: 'store_fails', subject: 'search' }],
  });
  for (const said of [check?.detail, shown.en, shown.ru])
    expect(tight(String(said))).toMatch(new RegExp(tight(says.source).replaceAll(' ', '')));
  expect(shown.metrics).toMatch(/^catalog_api_ready\{check="search"\} 0$/m);
});

test('a store that takes no writes is told by the process that tries to: others see a projector that is silent', async () => {
  const write = () => Promise.reject(new RetryableError('the disk is full'));
  const shown = await renderingsOf(template, { documents: { write } });
  const [found] = shown.readyz.find(({ name }) => name === 'projector')?.findings ?? [];
  expect(found).toMatchObject({ code: 'store_fails', subject: 'documents' });
  expect(Date.parse(String(found?.since))).toBeLessThan(Date.now() - 9000);
  for (const page of [shown.en, shown.ru])
    expect(page).toContain(tight('it takes no writes: the disk is full'));
  expect(shown.metrics).toMatch(/^catalog_projector_ready 0$/m);
  expect(shown.status).toMatchObject([{ code: 'no_projector' }]);
});
