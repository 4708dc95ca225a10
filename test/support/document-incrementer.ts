import { openMongoDocuments } from '../../src/stores/documents/mongodb/documents.ts';
import { newVersion } from '../../src/stores/documents/port.ts';
import { openSqliteDocuments } from '../../src/stores/documents/sqlite.ts';

/**
 * A process that adds to one document under its guard, and kills itself as soon as the last write is acknowledged:
 * `node document-incrementer.ts FILE|URL COLLECTION ID TIMES`
 */
const [place = '', collection = '', id = '', times = '0'] = process.argv.slice(2);
const documents = place.startsWith('mongodb:') ? openMongoDocuments(place) : openSqliteDocuments(place);
for (let added = 0; added < Number(times);) {
  const current = (await documents.get<{ n: number }>(collection, [id])).get(id);
  const body = { n: (current?.body.n ?? 0) + 1 };
  const write = { id, read: current?.version ?? null, version: newVersion(), body };
  const [outcome] = await documents.write(collection, [write]);
  if (outcome === 'done') added += 1;
}
process.kill(process.pid, 'SIGKILL');
