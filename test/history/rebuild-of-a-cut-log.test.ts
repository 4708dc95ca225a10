import { join } from 'node:path';

import { expect, test } from 'vitest';

import type { CloudEvent } from '../../src/events/envelope.ts';
import { structuredRecord } from '../../src/events/event-types.ts';
import type { Parts } from '../../src/compose/parts.ts';
import { DatabaseSync } from '../../src/platform/sqlite/node-sqlite.ts';
import type { ReadModelDocument } from '../../src/projecting/engine/projection.ts';
import { readBuild } from '../../src/stores/builds.ts';
import { LISTINGS, NEXT_LISTINGS } from '../support/collections.ts';
import { measured, published } from '../support/events.ts';
import { temporaryFolder } from '../support/folder.ts';
import { NEXT_RELEASE, openRelease, startRelease, untilComplete } from '../support/releases.ts';
import { runHere } from '../support/run-here.ts';
import { storedIn } from '../support/documents.ts';

/** What the retention of the embedded log has taken, the live documents still know. */

const SECOND = `${LISTINGS}-b2`;

const append = ({ log }: Parts, events: readonly CloudEvent[]) => log.append(events.map(structuredRecord));

/** A folder whose log no longer has the first events, while its documents were made of them. */
async function cutFolder(): Promise<string> {
  const folder = temporaryFolder();
  const before = await openRelease({ CATALOG_DATA: folder });
  const projector = await startRelease(before);
  const subjects = ['ai-news', 'chess', 'weather'];
  await append(
    before,
    subjects.map((subject) => published({ subject, username: `${subject}_x` })),
  );
  await append(
    before,
    subjects.map((subject) => measured({ subject })),
  );
  await untilComplete(before, LISTINGS);
  await expect.poll(async () => (await registersIn(before, LISTINGS)).size).toBe(3);
  await expect
    .poll(async () =>
      JSON.stringify([...(await registersIn(before, LISTINGS)).values()]).match(/"1000|:1000/g),
    )
    .toHaveLength(6);
  await projector[Symbol.asyncDispose]();
  await before[Symbol.asyncDispose]();
  using log = new DatabaseSync(join(folder, 'log.db'));
  log.exec('UPDATE topics SET retention_ms = 1');
  return folder;
}

async function registersIn({ documents }: Parts, build: string): Promise<ReadonlyMap<string, unknown>> {
  const all = await storedIn<ReadModelDocument>(documents, build);
  return new Map(all.map(({ id, body }) => [id, body.registers]));
}

/** The first append after a start applies the retention. */
async function appendLater(parts: Parts): Promise<void> {
  await append(parts, [measured({ measured_at: '2026-11-21T09:00:00Z', subscribers: 2000 })]);
  const ends = await parts.log.ends('catalog.entries');
  expect(ends.some(({ earliest }) => earliest > 0)).toBe(true);
  await expect
    .poll(async () => JSON.stringify((await registersIn(parts, LISTINGS)).get('ai-news')))
    .toContain('2000');
}

test('a rebuild of a cut log begins with the live registers, and lacks nothing', async () => {
  const folder = await cutFolder();
  const parts = await openRelease({ CATALOG_DATA: folder });
  await startRelease(parts);
  await appendLater(parts);
  const rebuilt = await runHere(['builds', 'rebuild', 'listings', '--cut-over', '--json'], {
    CATALOG_DATA: folder,
  });
  expect(rebuilt.code, rebuilt.stderr).toBe(0);
  expect(rebuilt.stderr).toMatch(
    /The build begins with what the live build took .+: the log no longer holds the records of/,
  );
  expect(JSON.parse(rebuilt.stdout)).toMatchObject({ build: SECOND, live: SECOND, documents: 3 });
  expect(await registersIn(parts, SECOND)).toEqual(await registersIn(parts, LISTINGS));
  expect((await readBuild(parts.documents, SECOND))?.seeded).toBeDefined();
});

test('a release with other views does the same, from the build that the fold made which it keeps', async () => {
  const folder = await cutFolder();
  const parts = await openRelease({ CATALOG_DATA: folder }, NEXT_RELEASE);
  await startRelease(parts);
  await appendLater(parts);
  await untilComplete(parts, NEXT_LISTINGS);
  expect(await registersIn(parts, NEXT_LISTINGS)).toEqual(await registersIn(parts, LISTINGS));
});
