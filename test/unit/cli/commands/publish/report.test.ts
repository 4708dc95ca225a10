import { expect, onTestFinished, test, vi } from 'vitest';

import { newTally, report, type Published } from '../../../../../src/cli/commands/publish/report.ts';

/** What the command prints for people. */
function said(published: Partial<Published>): string {
  let printed = '';
  const spy = vi
    .spyOn(process.stdout, 'write')
    .mockImplementation((text) => (printed += String(text)) !== '');
  onTestFinished(() => spy.mockRestore());
  const quiet = { appendedMs: 5, waited: null, waitedMs: null, parked: [], arrived: undefined };
  report({ ...newTally(), appended: 1, ...quiet, interrupted: false, ...published }, {});
  return printed;
}

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
  }) as unknown as Published['parked'];
  expect(said({ waited: 'reached', waitedMs: 1, parked, arrived: ARRIVED })).toContain(
    '\n1 of them could not be used: ',
  );
});

test('events that all were applied are not told apart; the others are counted, and named with what stands there', () => {
  const all = said({ waited: 'reached', waitedMs: 1, arrived: { ...ARRIVED, applied: 1 } });
  expect(all).not.toContain('Of them');
  const overruled = [
    { id: 'e1', subject: 'a', by: 5, unit: 'revision' as const, isTie: true },
    { id: 'e2', subject: 'b', by: 7, unit: 'revision' as const, isTie: false },
  ];
  const some = { ...ARRIVED, applied: 3, superseded: 2, duplicate: 1, overruled };
  expect(said({ waited: 'reached', waitedMs: 1, arrived: some })).toContain(
    'SUPERSEDED e1 (a): another event of the same revision, 5, is in force: publish this one with a higher one\n' +
      'SUPERSEDED e2 (b): revision 7 is in force\n' +
      'Of them: 3 applied, 2 superseded by a newer event, 1 already there.\n',
  );
});
