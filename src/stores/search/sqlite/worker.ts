import { workerData } from 'node:worker_threads';

import { lowerThreadPriority } from '../../../platform/threads/priority.ts';
import { offer } from '../../../platform/threads/offer-functions.ts';
import { SqliteIndexes } from './index-operations.ts';
import type { SearchFileOptions } from './search-file.ts';

/** The thread of one client: SQLite is synchronous, and neither a search nor a batch of entries may delay its caller. */

lowerThreadPriority();
const indexes = new SqliteIndexes(workerData as SearchFileOptions);

offer<Omit<SqliteIndexes, 'close'>>(indexes, async (answered) => {
  // Batches in hand leave turns to others, and would open the file again.
  await answered;
  indexes.close();
});
