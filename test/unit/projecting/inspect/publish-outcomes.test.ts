import { expect, test } from 'vitest';

import { structuredRecord } from '../../../../src/events/event-types.ts';
import { createArrivals, type ArrivalCounts } from '../../../../src/projecting/inspect/publish-outcomes.ts';
import type { CloudEvent } from '../../../../src/events/envelope.ts';
import { openAnalysed } from '../../../support/analysts.ts';
import { forEachTest } from '../../../support/for-each-test.ts';
import { measured, published, unpublished } from '../../../support/events.ts';
import { foldEvents } from '../../../support/read-models.ts';

/** A small catalog is there; its entry "alpha" has revision 1. */
const stage = forEachTest(openAnalysed);

/** Publishes as the command does. */
async function publish(...events: readonly CloudEvent[]): Promise<ArrivalCounts> {
  const { log, documents, projections, decode } = stage.parts;
  const records = events.map(structuredRecord);
  const arrivals = createArrivals(documents, projections, decode);
  await arrivals.before(records);
  const places = await log.append(records);
  for (const projection of projections) await foldEvents(documents, projection, events);
  const runs = places.map(({ topic, partition, position }) => ({
    topic,
    partition,
    from: position,
    to: position + 1,
  }));
  return arrivals.after(log, runs, [], new AbortController().signal);
}

const NOTHING = { applied: 0, duplicate: 0, superseded: 0, absent: 0, overruled: [] };

test('an event that its document holds is applied, in whichever part of it', async () => {
  const newer = measured({ subject: 'alpha', measured_at: '2026-11-21T09:00:00Z', subscribers: 5 });
  const older = measured({ subject: 'alpha', measured_at: '2026-11-19T09:00:00Z', subscribers: 4 });
  expect(await publish(published({ subject: 'new' }), newer, older)).toEqual({ ...NOTHING, applied: 3 });
});

test('an event that was there before is a duplicate, and so is one that comes twice', async () => {
  const event = published({ subject: 'new' });
  expect(await publish(event, event)).toEqual({ ...NOTHING, applied: 1, duplicate: 1 });
  expect(await publish(event)).toEqual({ ...NOTHING, duplicate: 1 });
});

test('an event below the revision of its document is superseded by that', async () => {
  await publish(published({ subject: 'new', revision: 7 }));
  const late = published({ subject: 'new', revision: 5 });
  expect(await publish(late)).toEqual({
    ...NOTHING,
    superseded: 1,
    overruled: [{ id: late.id, subject: 'new', own: 5, by: 7, unit: 'revision' }],
  });
});

test('of two contents with one revision, the one that is not in force is named as superseded by it', async () => {
  await publish(unpublished({ subject: 'new', revision: 5 }));
  const second = published({ subject: 'new', revision: 5 });
  expect(await publish(second)).toMatchObject({
    superseded: 1,
    overruled: [{ id: second.id, own: 5, by: 5, unit: 'revision' }],
  });
});

test('a tombstone with the very content of a publication is applied, and supersedes that', async () => {
  const event = published({ subject: 'new', revision: 4 });
  expect(await publish(event)).toEqual({ ...NOTHING, applied: 1 });
  const gone = { ...event, id: 'gone', type: 'catalog.entry.unpublished.v1' };
  expect(await publish(gone)).toEqual({ ...NOTHING, applied: 1 });
  expect(await publish(event)).toMatchObject({ superseded: 1 });
});

test('events with equal contents about different entries are told one by one', async () => {
  await publish(...[1, 1, 5].map((revision, entry) => published({ subject: `e${entry}`, revision })));
  const gone = ['e0', 'e1', 'e2'].map((subject) => ({
    ...unpublished({ subject, revision: 2 }),
    id: subject,
  }));
  const overruled = [{ id: 'e2', subject: 'e2', own: 2, by: 5, unit: 'revision' }];
  expect(await publish(...gone)).toEqual({ ...NOTHING, applied: 2, superseded: 1, overruled });
});

test('a day is told by what stands for that day, and one that no window shows is in no document', async () => {
  const at = (day: string, subscribers: number) =>
    measured({ subject: 'fresh', measured_at: `${day}T09:00:00.000Z`, subscribers });
  const numbers = (from: number) => Array.from({ length: 9 }, (_, index) => at('2026-11-20', from + index));
  await publish(at('2026-11-29', 9), ...numbers(0));
  const [first] = (await publish(...numbers(10))).overruled;
  expect(first?.by).toBe('2026-11-20T09:00:00.000Z');
  expect(await publish(at('2026-08-21', 1))).toEqual({ ...NOTHING, absent: 1 });
});

test('an older revision in the same file is counted, and not named: that is what its author meant', async () => {
  const events = [1, 2].map((revision) => published({ subject: 'new', revision }));
  expect(await publish(...events)).toEqual({ ...NOTHING, applied: 1, superseded: 1 });
});
