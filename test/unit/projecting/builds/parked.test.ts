import { expect, onTestFinished, test } from 'vitest';

import { alsoParkedIn } from '../../../../src/projecting/builds/parked.ts';
import { CHECKPOINTS } from '../../../../src/projecting/engine/lane.ts';
import { PARKED, type ParkedEvent } from '../../../../src/projecting/engine/parking.ts';
import { newVersion } from '../../../../src/stores/documents/port.ts';
import { openSqliteDocuments } from '../../../../src/stores/documents/sqlite.ts';
import { temporaryPath } from '../../../support/temporary-path.ts';

test('an event is found again where other builds have parked it, also under a log that took the place of another', async () => {
  const { path, remove } = temporaryPath('documents.db');
  onTestFinished(remove);
  await using documents = openSqliteDocuments(path);
  for (const needed of [PARKED, CHECKPOINTS]) await documents.declare(needed);
  const write = (collection: string, id: string, body: object) =>
    documents.write(collection, [{ id, read: null, version: newVersion(), body }]);
  const place = { topic: 'catalog.entries', partition: 0 };
  const lane = (readModel: string, incarnation: number) =>
    write(CHECKPOINTS.name, `${readModel}/catalog.entries/0`, { ...place, readModel, incarnation });
  await lane('listings@2', 1);
  await lane('listings@2-b2', 0);
  const ids = ['listings@2/catalog.entries/0/17~1', 'listings@2-b2/catalog.entries/0/18'];
  for (const id of [...ids, 'listings@2/catalog.entries/0/17']) await write(PARKED.name, id, {});
  const parked = { ...place, readModel: 'listings@1', position: 17 } as ParkedEvent;
  const builds = ['listings@2', 'listings@2-b2', 'listings@3'];
  expect(await alsoParkedIn(documents, parked, builds)).toEqual([ids[0]]);
  expect(await alsoParkedIn(documents, { ...parked, position: 18 }, builds)).toEqual([ids[1]]);
});
