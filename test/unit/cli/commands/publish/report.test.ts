import { expect, test } from 'vitest';

import { document, tell } from '../../../../../src/cli/commands/publish/report.ts';
import type { PublishReport } from '../../../../../src/operations/publish/publish.ts';
import { printedTo } from '../../../../support/printed-to.ts';

/** What the command prints for people. */
function said(published: Partial<PublishReport>): string {
  const printed = printedTo('stdout');
  tell({ ...QUIET, ...published }, {});
  return printed();
}

const QUIET: PublishReport = {
  valid: 0,
  invalid: 0,
  unknown_fields: 0,
  unknown_field_paths: new Map(),
  problems: [],
  leaps: [],
  stopped: false,
  appended: 1,
  waited: null,
  parked: [],
  arrived: null,
  interrupted: false,
};

const ARRIVED = { applied: 0, duplicate: 0, superseded: 0, absent: 0, overruled: [] };

test('an event that two builds have parked is one event', () => {
  const rejection = {
    code: 'fold_failed',
    reason: 'it broke',
    id: 'e1',
    source: null,
    type: null,
    subject: 'a',
  };
  const body = { topic: 'catalog.entries', partition: 0, position: 7, rejection };
  const parked = ['listings@1', 'listings@2'].map((readModel) => {
    return { id: `${readModel}/7`, version: 'v', body: { ...body, readModel } };
  }) as unknown as PublishReport['parked'];
  expect(said({ appended: 2, waited: 'reached', parked, arrived: ARRIVED })).toContain(
    '\n1 could not be used: ',
  );
});

test('events that all were applied are not told apart; the others are counted, and named with what stands there', () => {
  const all = said({ waited: 'reached', arrived: { ...ARRIVED, applied: 1 } });
  expect(all).toContain('In the documents and the search index.\n');
  const overruled = [
    { id: 'e1', subject: 'a', own: 5, by: 5, unit: 'revision' as const },
    { id: 'e2', subject: 'b', own: 6, by: 7, unit: 'revision' as const },
  ];
  const some = { ...ARRIVED, applied: 3, superseded: 2, duplicate: 1, overruled };
  expect(said({ appended: 6, waited: 'reached', arrived: some })).toContain(
    'SUPERSEDED e1 (a): another event of the same revision, 5, is in force: publish this one with a higher one\n' +
      'SUPERSEDED e2 (b): revision 7 is in force\n' +
      'In the documents and the search index: 3 applied, 2 superseded by another event, 1 already there.\n',
  );
});

test('events of which none was applied are not said to have reached readers', () => {
  const waited = { waited: 'reached' } as const;
  const none = { ...ARRIVED, superseded: 1, duplicate: 2 };
  expect(said({ ...waited, appended: 3, arrived: none })).toBe(
    '3 events appended.\nRead, and changed nothing: 1 superseded by another event, 2 already there.\n',
  );
});

test('scripts get of a superseded event its own revision too', () => {
  const overruled = [{ id: 'e1', subject: 'a', own: 5, by: 7, unit: 'revision' as const }];
  const arrived = { ...ARRIVED, superseded: 1, overruled };
  expect(document({ ...QUIET, waited: 'reached', arrived })).toMatchObject({
    superseded_by: [{ event_id: 'e1', subject: 'a', own: 5, by: 7 }],
  });
});
