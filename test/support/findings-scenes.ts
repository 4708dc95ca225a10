import type { Parts } from '../../src/compose/parts.ts';
import { ensureTopics } from '../../src/compose/projector.ts';
import { partitionOf } from '../../src/events/log/partitioner.ts';
import type { Finding } from '../../src/findings/finding.ts';
import { ACTS, beginNote } from '../../src/operations/act-log.ts';
import { changeDocument } from '../../src/stores/documents/change-document.ts';
import { ALIASES } from '../../src/stores/aliases.ts';
import { CATEGORIES, LISTINGS, MONITOR } from './collections.ts';
import type { Fault } from './findings-stage.ts';
import { rejectedFor } from './records.ts';

/** Faults of an installation that runs, and what each place is to say of them. */

/** Why a place rightly says nothing. */
export const SILENT = {
  others: 'this process has what it needs: it is the work of another one, or nobody’s',
  nobody: 'no process runs that could be asked',
  unmeasured: 'no figure is shown of it: who looks is told',
  feeder: 'the process that feeds shows it, and none does so here',
  'before a start': 'doctor is asked before a first start, too: the release is said to make everything then',
} as const;
type Silence = keyof typeof SILENT;

/** `since`: whether anybody knows. Then which check of `/readyz` says it, and which figure. */
export type Row = readonly [
  Finding['severity'],
  Finding['code'],
  subject: string,
  since: 'since' | '-',
  readyz: 'projector' | 'documents' | 'search' | 'documents and search' | Silence,
  alert: RegExp | Silence,
  doctor?: Silence,
];

const ENTRIES = (at: number): string => `${LISTINGS}/catalog.entries/${at}`;
const PROBES = (at: number): string => `${MONITOR}/monitor.probes/${at}`;
const CATEGORY = `${CATEGORIES}/catalog.categories/0`;
const UNREADY = (check: string): RegExp => new RegExp(`^catalog_api_ready\\{check="${check}"\\} 0$`, 'm');
const STATE = (lane: string, state: string): RegExp =>
  new RegExp(`^catalog_lane_state\\{lane="${lane}",state="${state}"\\} 1$`, 'm');

/** A result of a verification. */
const DIFFERING = {
  readModel: LISTINGS,
  ok: false,
  documents: 1,
  records: 1,
  lag: 0,
  digest: '',
  logCut: false,
  findings: [],
  problems: 1,
};
const THERE = { where: 'there:2', ok: true, detail: '', lanes: {} };

export async function change({ documents }: Parts, name: string, id: string, next: object): Promise<void> {
  if (!(await documents.collections()).includes(name)) await documents.declare({ name, indexes: [] });
  await changeDocument<object>(documents, name, id, (stored) => ({ ...stored?.body, ...next }));
}

/** One record that no fold reads, where it stands in the way. */
async function append({ log, topicName }: Parts, topic: string, partition: number): Promise<void> {
  const keys = Array.from({ length: 100 }, (_, at) => `k${at}`);
  const key = keys.find((one) => partitionOf(one, 6) === partition) ?? null;
  await log.append([{ topic: topicName(topic), key, value: Buffer.from('{}'), headers: {} }]);
}

export const SCENES: Readonly<
  Record<string, Fault & { readonly empty?: true; readonly rows: readonly Row[] }>
> = {
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
      const rejection = rejectedFor('bad_data', 'odd');
      const event = { readModel: LISTINGS, topic: 'catalog.entries', state: 'parked', rejection };
      await change(parts, 'parked', `${ENTRIES(0)}/0`, { ...event, headers: {}, parkedAt: now - 60_000 });
      await change(parts, 'announcing', parts.topicName('catalog.rejected'), { trouble: 'It is not ours.' });
      await change(parts, LISTINGS, 'served', {
        dirty: { mark: 'refused', reason: 'its title is too long' },
      });
      await parts.documents.declare(ACTS);
      const note = await beginNote(parts.documents, { kind: 'verify', subject: '' });
      const report = { ok: false, results: [DIFFERING], indexes: [], uncompared: [], unfolded: [] };
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
      ['note', 'unknown_fold', 'listings@98', '-', 'others', 'unmeasured'],
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
        'documents and search',
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
          await change(parts, 'leases', LISTINGS, { trouble, behind_since: now - age, until: now + lasts });
          await change(parts, LISTINGS, 'served', { dirty: { mark: 'put' } });
        },
        rows: [['problem', 'not_fed', LISTINGS, 'since', 'others', 'feeder'] as const],
      },
    ]),
  ),
};
