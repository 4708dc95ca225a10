import { expect, test } from 'vitest';

import { findingsOf } from '../../../src/operations/findings.ts';
import { lineOf } from '../../../src/findings/finding-texts.ts';
import type { Facts, LaneStatus } from '../../../src/operations/status.ts';
import { buildName, parseBuildName } from '../../../src/stores/build-names.ts';
import { LISTINGS } from '../../support/collections.ts';

const running = { where: 'a:1', state: 'running', for_ms: 5000, reason: null } as const;

const lane = (changed: Partial<LaneStatus> = {}): LaneStatus => ({
  lane: `${LISTINGS}/catalog.entries/0`,
  owner: 'someone',
  epoch: 1,
  live: running,
  waits_for_transaction: false,
  position: 5,
  earliest: 0,
  latest: 5,
  lag: 0,
  lag_ms: null,
  halted: null,
  counts: null,
  ...changed,
});

const AT = '2026-01-01T00:00:00.000Z';

const well: Facts = {
  at: AT,
  read_models: [
    {
      read_model: LISTINGS,
      live: LISTINGS,
      pinned: false,
      folded: true,
      documents: 3,
      lag: 0,
      lag_ms: null,
      completed_at: AT,
      began_at: AT,
      projected: true,
      heard_of_at: AT,
    },
  ],
  workers: [{ where: 'a:1', ready: true, detail: '1 lanes, 0 behind', lanes: 1, heard_of_at: '' }],
  verification_due: false,
  differs_since: null,
  parked: 0,
  parked_since: null,
  parked_by: [],
  rejections: { announced: true, trouble: null },
  search: [
    {
      index: LISTINGS,
      waiting: 0,
      confirming: 0,
      behind_ms: null,
      refused: 0,
      refusals: [],
      fed: true,
      filling: false,
      trouble: null,
    },
  ],
  lanes: [lane()],
};

/** The findings, as `severity code subject`. */
function found(changed: Partial<Facts>): readonly string[] {
  return findingsOf({ ...well, ...changed }).map(
    ({ severity, code, subject }) => `${severity} ${code} ${subject}`,
  );
}

/** What the first finding says on the command line. */
function said(changed: Partial<Facts>): string | undefined {
  return findingsOf({ ...well, ...changed }).map(lineOf)[0];
}

const LANE = `${LISTINGS}/catalog.entries/0`;
const [model] = well.read_models;
const [index] = well.search;
if (!model || !index) throw new Error('the fixture is empty');

test('nothing is found where all is well, and where a lane is behind that somebody works at', () => {
  expect(found({})).toEqual([]);
  expect(found({ lanes: [lane({ lag: 1512, latest: 1517, lag_ms: 3000 })] })).toEqual([]);
});

test('lag without a live owner is a problem: of the read model where it has no projector, else of the lane', () => {
  const orphan = lane({ live: null, lag: 1512, latest: 1517 });
  const behind = { ...model, lag: 1512 };
  expect(found({ lanes: [orphan], read_models: [behind], workers: [] })).toEqual([
    `problem not_projected ${LISTINGS}`,
  ]);
  const other = lane({ lane: `${LISTINGS}/catalog.entries/1` });
  expect(found({ lanes: [orphan, other], read_models: [behind] })).toEqual([`problem no_owner ${LANE}`]);
  expect(found({ lanes: [{ ...orphan, lag: 0 }, other] })).toEqual([]);
});

test.each<[Partial<Facts>, readonly string[]]>([
  [
    { lanes: [lane({ lag: 3, latest: 8, waits_for_transaction: true })] },
    [`note waits_for_transaction ${LANE}`],
  ],
  [{ search: [{ ...index, trouble: 'Meilisearch is down' }] }, [`problem not_fed ${LISTINGS}`]],
  [{ search: [{ ...index, fed: false }] }, []],
  [{ search: [{ ...index, fed: false, waiting: 3 }] }, [`problem not_fed ${LISTINGS}`]],
  [{ search: [{ ...index, behind_ms: 1000 }] }, []],
  [{ search: [{ ...index, behind_ms: 900_000 }] }, [`problem not_fed ${LISTINGS}`]],
  [{ search: [{ ...index, filling: true }] }, [`note filling ${LISTINGS}`]],
])('%j: %j', (changed, expected) => {
  expect(found(changed)).toEqual(expected);
});

test('no projector anywhere says how to start one', () => {
  const facts = { lanes: [lane({ live: null })], workers: [] };
  expect(said(facts)).toMatch(/^no projector is alive: .+ "npm start".+ doctor" looks at the disk/);
});

test('a halt is a problem, told once, also where its worker says that it is not ready', () => {
  const halt = { reason: 'gap', from: 3, to: 9 } as const;
  const halted = lane({ halted: halt, live: { ...running, state: 'halted' } });
  const workers = [{ where: 'a:1', ready: false, detail: `halted: ${LANE}`, lanes: 1, heard_of_at: '' }];
  expect(found({ lanes: [halted], workers })).toEqual([`problem halted ${LANE}`]);
  expect(said({ lanes: [halted] })).toContain(
    'the log no longer holds the records 3 to 8, which were not read.',
  );
  const known = lane({ live: { ...running, state: 'halted', reason: 'the disk is gone' } });
  expect(said({ lanes: [known] })).toContain('its projector says: the disk is gone. Bring back');
});

test('a pause is a note for as long as its projector is ready, and then a problem, with its reason and since when', () => {
  const paused = (for_ms: number) =>
    lane({ live: { ...running, state: 'paused', for_ms, reason: 'the store answers code 1.' } });
  expect(found({ lanes: [paused(9_000)] })).toEqual([`note paused ${LANE}`]);
  expect(found({ lanes: [paused(10_000)] })).toEqual([`problem paused ${LANE}`]);
  expect(said({ lanes: [paused(60_000)] })).toMatch(
    /^paused by a:1: the store answers code 1\. It is tried again .+ \(since 2025-12-31T23:59:00.000Z\)$/,
  );
});

test('a lane that is not claimed for long, or does not move, is a problem, and its projector is not told of beside it', () => {
  const claiming = lane({ live: { ...running, state: 'claiming', for_ms: 61_000, reason: null } });
  expect(found({ lanes: [claiming] })).toEqual([`problem not_claimed ${LANE}`]);
  const workers = [{ where: 'a:1', ready: false, detail: 'anything', lanes: 1, heard_of_at: '' }];
  const stalled = lane({ live: { ...running, state: 'stalled', for_ms: 12_000 } });
  expect(found({ lanes: [stalled], workers })).toEqual([`problem stalled ${LANE}`]);
});

test('problems come before notes', () => {
  const search = [{ ...index, filling: true, trouble: 'down' }];
  expect(
    found({ search, read_models: [{ ...model, completed_at: null }] }).map((one) => one.split(' ')[0]),
  ).toEqual(['problem', 'problem', 'note']);
});

test('what only a build waits for that readers do not see is a note, and one that is ready for them is named', () => {
  const named = parseBuildName(LISTINGS);
  if (!named) throw new Error('the fixture has no name');
  const next = buildName({ ...named, version: named.version + 1 });
  const beside = { ...model, read_model: next, live: LISTINGS };
  const lanes = [lane(), lane({ lane: `${next}/catalog.entries/0`, live: null, lag: 7, latest: 12 })];
  const waits = { ...beside, completed_at: null, lag: 7 };
  const search = [index, { ...index, index: next, trouble: 'refused' }];
  expect(found({ read_models: [model, waits], lanes, search })).toEqual([
    `note not_projected ${next}`,
    `note never_complete ${next}`,
    `note not_fed ${next}`,
  ]);
  expect(found({ read_models: [model, beside] })).toEqual([`note upgrade_ready ${next}`]);
  expect(found({ read_models: [model, { ...beside, pinned: true }] })).toEqual([]);
  expect(
    found({
      read_models: [
        { ...model, live: next },
        { ...beside, live: next },
      ],
    }),
  ).toEqual([]);
  expect(found({ read_models: [model, { ...beside, pinned: true, folded: false }] })).toEqual([
    `note unknown_fold ${next}`,
  ]);
});

test('documents that were restored and not verified since are a problem, whatever else is well', () => {
  expect(found({ verification_due: true })).toEqual(['problem verification_due documents']);
  expect(said({ verification_due: true })).toContain('catalog -- verify');
  expect(found({ differs_since: AT })).toEqual(['problem differs documents']);
});

test('parked events wait for a decision: somebody has to be told, and it is no problem', () => {
  expect(found({ parked: 1279 })).toEqual(['note parked events']);
  expect(said({ parked: 1279 })).toContain('1,279 parked events wait for a decision');
});

test('where nobody can look at the log, what the documents tell of is still found', () => {
  const search = [{ ...index, trouble: 'down' }];
  const read_models = [{ ...model, completed_at: null }];
  const told = findingsOf({ ...well, read_models, workers: [], lanes: [], search, parked: 2 });
  expect(told.map(({ code }) => code)).toEqual(['never_complete', 'not_fed', 'no_projector', 'parked']);
});
