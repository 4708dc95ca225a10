import { expect, test } from 'vitest';

import { ensureTopics } from '../../../src/compose/projector.ts';
import { ACTS, readActs } from '../../../src/operations/act-log.ts';
import { readOverview, readParked } from '../../../src/operations/overview.ts';
import { readPreview } from '../../../src/operations/act-preview.ts';
import { perform } from '../../../src/operations/perform-act.ts';
import { PARKED, type ParkedEvent } from '../../../src/projecting/engine/parking.ts';
import { PermanentError } from '../../../src/platform/errors.ts';
import { type Documents, type Query } from '../../../src/stores/documents/port.ts';
import { writing } from '../../contracts/documents-bench.ts';
import { LISTINGS } from '../../support/collections.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { overriding } from '../../support/overriding.ts';
import { rejectedFor } from '../../support/records.ts';
import { openParts } from '../../support/parts.ts';
import { forAllTests } from '../../support/for-each-test.ts';

/** What the operator page reads of an installation in which thousands of events are parked. */

const PARKED_EVENTS = 3000;
const EVIL = '\u0000<'.repeat(200_000);

function parkedEvent(at: number): ParkedEvent {
  return {
    readModel: LISTINGS,
    topic: 'catalog.entries',
    partition: 0,
    position: at,
    timestamp: at,
    state: 'parked',
    key: 'k'.repeat(4000),
    headers: { big: 'h'.repeat(4000), another: EVIL.slice(0, 4000) },
    value: at === 0 ? Buffer.from(EVIL).toString('base64') : null,
    rejection: rejectedFor('bad_data', 'r'.repeat(500)),
    parkedAt: at,
    redrives: 0,
  };
}

const parts = forAllTests(async () => {
  const opened = await openParts({ CATALOG_DATA: temporaryFolder() });
  await ensureTopics(opened);
  for (const spec of [PARKED, ACTS]) await opened.documents.declare(spec);
  const writes = Array.from({ length: PARKED_EVENTS }, (_, at) =>
    writing(`${LISTINGS}/catalog.entries/0/${at}`, parkedEvent(at)),
  );
  await opened.documents.write(PARKED.name, writes);
  return opened;
});

/** The documents, with a list of what was read of parked events: how many at most, `scan` for all of them. */
function watched(documents: Documents, read: (number | 'scan')[]): Documents {
  return overriding(documents, {
    find: <Body>(collection: string, query: Query) => {
      if (collection === PARKED.name) read.push(query.limit);
      return documents.find<Body>(collection, query);
    },
    scan: <Body>(collection: string) => {
      if (collection === PARKED.name) read.push('scan');
      return documents.scan<Body>(collection);
    },
  });
}

test('the page counts parked events, and reads no more of them than it shows', async () => {
  const read: (number | 'scan')[] = [];
  const documents = watched(parts.documents, read);
  const { signal } = new AbortController();
  const overview = await readOverview({ ...parts, documents }, signal, 'project');
  expect(overview.status).toMatchObject({ value: { parked: PARKED_EVENTS } });
  expect(read).toEqual([1, 20]);
  const parked = 'value' in overview.parked ? overview.parked.value : [];
  expect(parked.map(({ id }) => id.split('/').at(-1))).toEqual(
    Array.from({ length: 20 }, (_, at) => String(at)),
  );
  expect(parked[0]?.reason).toHaveLength(203);
});

test('a part that cannot be read says why, beside the others', async () => {
  const find = async (collection: string, query: Query) => {
    if (collection === PARKED.name) throw new PermanentError('An index is gone.');
    return await parts.documents.find(collection, query);
  };
  const broken = { ...parts, documents: overriding(parts.documents, { find: find as Documents['find'] }) };
  const overview = await readOverview(broken, new AbortController().signal, 'project');
  expect(overview.parked).toEqual({ trouble: 'An index is gone.' });
  expect(overview).toMatchObject({ versions: { value: expect.anything() }, acts: { value: [] } });
});

test('of one event, no more is told than can be read on a page', async () => {
  const event = await readParked(parts, `${LISTINGS}/catalog.entries/0/0`);
  expect(event?.bytes).toBe(EVIL.length);
  expect(event?.value).toHaveLength(8000);
  expect(event?.headers.length).toBeLessThanOrEqual(4003);
  expect(event?.key).toHaveLength(203);
});

test('redriving all of one reason takes the oldest, no more than were confirmed, and is broken off where its process stops', async () => {
  const act = { kind: 'redrive_all', subject: 'catalog.entries bad_data' } as const;
  expect(await readPreview(parts, act)).toEqual({
    kind: 'redrive_all',
    topic: 'catalog.entries',
    code: 'bad_data',
    events: PARKED_EVENTS,
    builds: [{ build: LISTINGS, count: PARKED_EVENTS }],
  });
  await perform(parts, AbortSignal.abort(), act, 2);
  expect(await readActs(parts.documents, 1)).toMatchObject([{ state: 'broken_off' }]);
  await perform(parts, new AbortController().signal, act, 2);
  const [done] = await readActs(parts.documents, 1);
  expect(done?.result).toMatchObject({ code: 'redriven', still_rejected: 2, chosen: 2 });
  const tried = await parts.documents.find<ParkedEvent>(PARKED.name, {
    where: { state: 'parked' },
    order: ['parkedAt'],
    limit: 4,
  });
  expect(tried.documents.map(({ body }) => body.redrives)).toEqual([1, 1, 0, 0]);
});
