import { openSqliteLog } from '../../../../src/events/log/sqlite.ts';
import { openSqliteDocuments } from '../../../../src/stores/documents/sqlite.ts';
import { LISTINGS } from '../../../support/collections.ts';
import { overriding } from '../../../support/overriding.ts';
import { replayed } from '../../../support/replayed.ts';

/** A process that replays, and is killed by the system after some of its documents are written. */

const [logPath = '', documentsPath = '', name = '', now = ''] = process.argv.slice(2);
const log = openSqliteLog(logPath);
const documents = openSqliteDocuments(documentsPath);
const collection = `${LISTINGS}-${name}`;
await replayed(
  { log, documents, now: Number(now) },
  {
    name,
    documents: overriding(documents, {
      write: async (into, writes) => {
        const outcomes = await documents.write(into, writes);
        if (into === collection) process.kill(process.pid, 'SIGKILL');
        return outcomes;
      },
    }),
  },
);
