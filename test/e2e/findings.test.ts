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
import { changeDocument } from '../../src/stores/documents/change.ts';
import { ALIASES } from '../../src/stores/aliases.ts';
import { fill } from '../../src/texts/fill.ts';
import { formats } from '../../src/texts/formats.ts';
import { type Locale, TEXTS } from '../../src/texts/texts.ts';
import { CATEGORIES, LISTINGS, MONITOR } from '../support/collections.ts';
import { published } from '../support/events.ts';
import {
  brokenCopy,
  renderingsOf,
  QUIET,
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

/** Why a place rightly says nothing. */
const SILENT = {
  others: 'this process has what it needs: it is the work of another one, or nobody’s',
  nobody: 'no process runs that could be asked',
  unmeasured: 'no figure is shown of it: who looks is told',
  feeder: 'the process that feeds shows it, and none does so here',
  'before a start': 'doctor is asked before a first start, too: the release is said to make everything then',
} as const;
type Silence = keyof typeof SILENT;

/** `since`: whether anybody knows. Then which check of `/readyz` says it, and which figure. */
type Row = readonly [
  Finding['severity'],
  Finding['code'],
  subject: string,
  since: 'since' | '-',
  readyz: 'projector' | 'documents' | 'search' | Silence,
  alert: RegExp | Silence,
  doctor?: Silence,
];

const ENTRIES = (at: number): string => `${LISTINGS}/catalog.entries/${at}`;
const PROBES = (at: number): string => `${MONITOR}/monitor.probes/${at}`;
const CATEGORY = `${CATEGORIES}/catalog.categories/0`;
const UNREADY = (check: string): RegExp => new RegExp(`^catalog_api_ready\\{check="${check}"\\} 0$`, 'm');
const STATE = (lane: string, state: string): RegExp =>
  new RegExp(`^catalog_lane_state\\{lane="${lane}",state="${state}"\\} 1$`, 'm');

const THERE = { where: 'there:2', ok: true, detail: '', lanes: {} };

async function change({ documents }: Parts, name: string, id: string, next: object): Promise<void> {
  if (!(await documents.collections()).includes(name)) await documents.declare({ name, indexes: [] });
  await changeDocument<object>(documents, name, id, (stored) => ({ ...stored?.body, ...next }));
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
      await change(parts, 'checkpoints', ENTRIES(0), { halted: { reason: 'gap', from: 3, to: 9 } });
      await change(parts, 'checkpoints', ENTRIES(1), {
        halted: { reason: 'log_younger', position: 7, latest: 2 },
      });
      const replaced = { reason: 'log_replaced', position: 7, time: 1000, found: 2000 };
      await change(parts, 'checkpoints', ENTRIES(2), { halted: replaced });
      for (const partition of [1, 2]) await append(parts, 'monitor.probes', partition);
      await change(parts, 'workers', 'other', { ...THERE, at: now, ok: false, detail: 'the disk is full' });
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
      ...[0, 1, 2, 3].map((at): Row => {
        const lane = ENTRIES(at);
        return ['problem', 'halted', lane, 'since', 'projector', STATE(lane, 'halted')];
      }),
      ['problem', 'paused', ENTRIES(4), 'since', 'projector', STATE(ENTRIES(4), 'paused')],
      ['problem', 'not_claimed', ENTRIES(5), 'since', 'projector', STATE(ENTRIES(5), 'claiming')],
      ['problem', 'stalled', PROBES(1), 'since', 'projector', STATE(PROBES(1), 'stalled')],
      ['note', 'paused', CATEGORY, 'since', 'projector', STATE(CATEGORY, 'paused')],
      ['problem', 'no_owner', PROBES(2), 'since', 'others', /^catalog_lanes_without_owner 1$/m],
      ['problem', 'not_ready', 'there:2', '-', 'others', 'others'],
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
      await change(parts, 'parked', `${ENTRIES(0)}/0`, { ...event, parkedAt: now - 60_000 });
      await change(parts, 'announcing', parts.topicName('catalog.rejected'), { trouble: 'It is not ours.' });
      await change(parts, LISTINGS, 'served', {
        dirty: { mark: 'refused', reason: 'its title is too long' },
      });
      await parts.documents.declare(ACTS);
      const note = await beginNote(parts.documents, { kind: 'verify', subject: '' });
      const report = { ok: false, results: [], indexes: [], uncompared: [], unfolded: [] };
      await note.say({ state: 'done', result: { code: 'differs' }, report });
      await change(parts, 'aliases', 'listings', { beside: ['listings@98', 'listings@99'] });
      const build = { targets: {}, began_at: now - 60_000, completed_at: null };
      await change(parts, 'builds', 'listings@98', build);
      await change(parts, 'builds', 'listings@99', { ...build, completed_at: now });
    },
    rows: [
      ['note', 'parked', 'events', 'since', 'others', /^catalog_parked_events\{.+\} 1$/m],
      ['note', 'not_announced', 'rejections', '-', 'others', 'unmeasured'],
      ['note', 'not_searchable', 'served', '-', 'others', 'feeder'],
      ['problem', 'differs', 'documents', 'since', 'others', 'unmeasured'],
      ['note', 'unknown_fold', 'listings@99', '-', 'others', 'unmeasured'],
      ['note', 'upgrade_ready', 'listings@99', 'since', 'others', 'unmeasured'],
      ['note', 'never_complete', 'listings@98', 'since', 'others', 'unmeasured'],
    ],
  },
  'nobody projects, and nothing waits': {
    runs: false,
    rows: [['note', 'no_projector', 'all read models', 'since', 'nobody', 'nobody']],
  },
  'nobody projects, and events, probes and an index wait': {
    runs: false,
    provoke: async (parts) => {
      await append(parts, 'catalog.entries', 0);
      await append(parts, 'monitor.probes', 0);
      await change(parts, LISTINGS, 'served', { dirty: { mark: 'put' } });
    },
    rows: [
      ['problem', 'not_projected', LISTINGS, 'since', 'nobody', 'nobody'],
      ['problem', 'not_projected', MONITOR, 'since', 'nobody', 'nobody'],
      ['problem', 'not_fed', LISTINGS, '-', 'nobody', 'nobody'],
    ],
  },
  'the clock of the store was put back by an hour': {
    runs: false,
    provoke: async (parts, now) => {
      const at = now + 3_600_000;
      for (const build of [LISTINGS, MONITOR, CATEGORIES]) await change(parts, 'lags', build, { at });
      await change(parts, 'workers', 'other', { ...THERE, at });
    },
    rows: [['note', 'no_projector', 'all read models', 'since', 'nobody', 'nobody']],
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
      [
        'problem',
        'never_projected',
        'all read models',
        '-',
        'search',
        UNREADY('documents'),
        'before a start',
      ],
    ],
  },
  'a build that has not caught up, and whose index is filled': {
    provoke: async (parts, now) => {
      await change(parts, 'builds', LISTINGS, { completed_at: null });
      await change(parts, 'leases', LISTINGS, {
        seal: null,
        behind_since: now - 60_000,
        until: now + 60_000,
      });
    },
    rows: [
      ['problem', 'never_complete', LISTINGS, 'since', 'documents', UNREADY('documents')],
      ['note', 'filling', LISTINGS, 'since', 'search', UNREADY('search')],
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
          await change(parts, 'leases', LISTINGS, {
            trouble,
            behind_since: now - age,
            until: now + lasts,
          });
          await change(parts, LISTINGS, 'served', { dirty: { mark: 'put' } });
        },
        rows: [['problem', 'not_fed', LISTINGS, 'since', 'others', 'feeder'] as const],
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
    provoke: (parts) => change(parts, 'identity', 'store', { format: 1 }),
    says: /documents\.db was made by an earlier release/,
  },
  'documents of a later format': {
    provoke: (parts) => change(parts, 'identity', 'store', { format: 99 }),
    says: /documents\.db was made by a later release/,
  },
};

let template: string;
beforeAll(async () => {
  template = join(temporaryFolder(), 'data');
  await using parts = await compose(readConfig({ CATALOG_DATA: template }), 'test', QUIET);
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

  test.for(rows)('%s %s %s is told alike', ([severity, code, subject, known, readyz, alert, isSilent]) => {
    const isIt = (one: Finding): boolean => one.code === code && one.subject === subject;
    const told = shown.status.find(isIt);
    if (!told) throw new Error(`status has ${JSON.stringify(shown.status)}`);
    const { message, ...finding } = told;
    const { since } = finding;
    expect([finding.severity, message, since !== null]).toEqual([
      severity,
      lineOf(finding),
      known === 'since',
    ]);
    expect(Date.parse(since ?? '2026-01-01')).toBeLessThanOrEqual(Date.now());

    const moment = since === null ? '' : ` (since ${since})`;
    const advised = shown.doctor
      .filter(({ area, name }) => area === 'findings' && name === subject)
      .map(({ message: says, hint }) => `${says.slice(0, says.length - moment.length)} ${hint}${moment}`);
    expect(advised.filter((line) => line === message)).toEqual(isSilent ? [] : [message]);

    const ready = shown.readyz.flatMap(({ name, findings = [] }) =>
      findings.filter(isIt).map((one) => [name, one]),
    );
    const nearly = { asymmetricMatch: (other: string | null) => isNear(other, since) };
    expect(ready).toEqual(readyz in SILENT ? [] : [[readyz, { ...finding, since: nearly }]]);

    for (const locale of ['en', 'ru'] as const) {
      const { says, advice } = findingPhrases(finding, locale);
      // A minute may have begun meanwhile.
      const lines = [0, 3000].map((ms) => `${plain(says)}${plain(advice)}${sinceIn(locale, since, ms)}`);
      expect(
        lines.filter((line) => shown[locale].includes(line)),
        lines[0],
      ).not.toEqual([]);
    }
    expect(shown.metrics).toMatch(alert instanceof RegExp ? alert : '');
  });
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
