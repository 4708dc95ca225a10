import { expect, test } from 'vitest';

import { PROJECTIONS } from '../../../../../projections/index.ts';
import { createLeapWatch } from '../../../../../src/operations/publish/publish.ts';
import { structuredRecord } from '../../../../../src/events/event-types.ts';
import type { Documents } from '../../../../../src/stores/documents/port.ts';
import { published, unpublished } from '../../../../support/events.ts';
import { temporaryFolder } from '../../../../support/folder.ts';
import { runHere } from '../../../../support/run-here.ts';

const HIGHEST = Number.MAX_SAFE_INTEGER;

/** A store in which the live listing of `ai-news` has this revision. */
function storeWith(revision: number): Pick<Documents, 'get'> {
  const bodies: Readonly<Record<string, object>> = {
    listings: { collection: 'live' },
    'ai-news': { registers: { content: { at: revision, digest: '', value: null }, metrics: {} } },
  };
  const get = async (_collection: string, [id = '']: readonly string[]) =>
    new Map(bodies[id] ? [[id, { id, version: '1', body: bodies[id] }]] : []);
  return { get: get as Documents['get'] };
}

test('a revision is held against that of the live document', async () => {
  const documents = storeWith(2_000_000) as Documents;
  const watch = createLeapWatch({ documents, projections: PROJECTIONS });
  await watch.look('f:1', structuredRecord(published({ subject: 'ai-news' })), 3_900_000);
  await watch.look('f:2', structuredRecord(unpublished({ subject: 'ai-news' })), 4_000_001);
  await watch.look('f:3', structuredRecord(published({ subject: 'other' })), 4_000_001);
  expect(watch.found).toEqual([{ where: 'f:2', subject: 'ai-news', from: 2_000_000, to: 4_000_001 }]);
});

test.each([[], ['--dry-run']])(
  'publish %s warns of a revision that leaps, and takes the event',
  async (...options) => {
    const env = { CATALOG_DATA: temporaryFolder() };
    const lines = `${JSON.stringify(published({ subject: 'ai-news', revision: HIGHEST }))}\n`;
    const told = await runHere(['publish', '-', ...options], env, lines);
    expect(told.stderr).toContain('the revision of ai-news leaps from 0 to 9,007,199,254,740,991');
    expect(told.code).toBe(0);
    const json = await runHere(['publish', '-', ...options, '--json'], env, lines);
    expect(JSON.parse(json.stdout)).toMatchObject({
      invalid: 0,
      leaps: [{ subject: 'ai-news', from: 0, to: HIGHEST }],
    });
  },
);
