import type { Act, ActView } from '../../src/operations/act-log.ts';
import type { Overview, ParkedWhole } from '../../src/operations/overview.ts';
import type { ParkedEventFields } from '../../src/operations/parked-event-fields.ts';
import type { Preview } from '../../src/operations/act-preview.ts';
import type { Version } from '../../src/operations/list-builds.ts';

/** What is to be seen in a small installation in which all kinds of things stand, and what acts would do in it. */

export const AT = '2026-11-20T10:00:00.000Z';

export function parkedEvent(written: Partial<ParkedWhole> = {}): ParkedWhole {
  return {
    id: 'listings@1/catalog.entries/0/17',
    code: 'unknown_version',
    type: 'catalog.entry.published.v9',
    subject: 'ai-news',
    source: '/catalog',
    reason: 'Version 9 is not known here.',
    event_id: 'e-17',
    recorded_at: AT,
    parked_at: AT,
    redrives: 0,
    state: 'parked',
    key: 'ai-news',
    headers: '{}',
    value: '{"data":1}',
    bytes: 10,
    ...written,
  };
}

/** What a projector's thread would tell of a small installation in which all kinds of things stand. */
export function overviewWith(parked: readonly ParkedEventFields[]): Overview {
  const version = {
    read_model: 'listings',
    documents: 1200,
    parked: 0,
    records: 90,
    fold: 'f',
    began_at: AT,
    complete_since: AT,
    verified_at: null,
    digest: null,
    servers: 1,
    rollback: false,
    share: 1,
    left: 0,
    lag_ms: 65_000,
  };
  return {
    at: AT,
    status: {
      value: {
        at: AT,
        findings: [
          { severity: 'problem', code: 'differs', subject: 'documents', since: AT },
          {
            severity: 'problem',
            code: 'paused',
            subject: 'listings@1/catalog.entries/0',
            where: 'vm:1',
            since: AT,
            reason: 'The documents store answers code 91.',
          },
        ],
        read_models: [],
        workers: [],
        verification_due: false,
        differs_since: AT,
        parked: parked.length,
        parked_since: AT,
        parked_by: parked.map(({ code }) => ({
          read_model: 'listings@1',
          topic: 'catalog.entries',
          code,
          count: 1,
        })),
        rejections: { announced: true, trouble: null },
        search: [],
        lanes: [],
      },
    },
    versions: {
      value: [
        { ...version, build: 'listings@1', state: 'live' },
        { ...version, build: 'listings@0', state: 'before', rollback: true },
        { ...version, build: 'listings@2', state: 'ready' },
        {
          ...version,
          build: 'listings@2-b2',
          state: 'building',
          complete_since: null,
          share: 0.45,
          left: 55_000,
        },
      ],
    },
    parked: { value: parked },
    verification: { value: { last: VERIFIED, ended: VERIFIED } },
    acts: {
      value: [
        {
          id: 'a',
          kind: 'redrive',
          subject: 'listings@1/catalog.entries/0/3',
          at: AT,
          where: 'vm:1',
          state: 'done',
          heard: 0,
          done: 1,
          total: 1,
          result: { code: 'redriven', redriven: 1, still_rejected: 0, gone: 0, chosen: 1, first: null },
        },
      ],
    },
  };
}

const VERIFIED: ActView = {
  id: 'v',
  kind: 'verify',
  subject: '',
  at: AT,
  where: 'vm:1',
  state: 'done',
  heard: Date.parse(AT) + 65_000,
  done: 90,
  total: 90,
  result: { code: 'differs' },
  report: {
    ok: false,
    results: [
      {
        readModel: 'listings@1',
        ok: false,
        documents: 1200,
        records: 90,
        lag: 0,
        digest: 'd',
        logCut: false,
        problems: 1,
        findings: [{ where: 'ai-news', code: 'missing', problem: 'events define it, and it is missing' }],
      },
    ],
    indexes: [{ index: 'listings@1', ok: false, error: 'Meilisearch does not answer.' }],
    uncompared: [
      { build: 'listings@2', lane: 'listings@2/catalog.entries/0', from: 90, to: 100, reason: 'behind' },
    ],
    unfolded: ['listings@9'],
  },
};

const BUILD: Version = {
  read_model: 'listings',
  build: 'listings@1',
  state: 'live',
  rollback: false,
  documents: 1200,
  parked: 3,
  records: 1500,
  fold: 'a-digest',
  began_at: AT,
  complete_since: AT,
  verified_at: AT,
  digest: 'a-digest',
  servers: 1,
};

/** What acts would do in that installation. */
export function previewOf({ kind, subject, to = '' }: Act): Preview | null {
  switch (kind) {
    case 'redrive':
      return {
        kind,
        code: 'unknown_version',
        reason: 'Version 9 is not known here.',
        redrives: 2,
        builds: ['listings@1', 'listings@2'],
      };
    case 'redrive_all': {
      const [topic = '', code = ''] = subject.split(' ');
      return { kind, topic, code, events: 21, builds: [{ build: 'listings@1', count: 21 }] };
    }
    case 'cut_over':
      return { kind, from: BUILD, to: { ...BUILD, build: to, documents: 1100 }, obstacle: null };
    case 'rollback':
      return { kind, from: BUILD, to: { ...BUILD, build: 'listings@0' }, obstacle: null };
    case 'cancel':
      return {
        kind,
        build: { ...BUILD, build: subject, verified_at: null },
        obstacle: subject === 'listings@0' ? { code: 'kept', until: AT } : null,
      };
    case 'verify':
      return null;
  }
}
