import { workerData } from 'node:worker_threads';

import { lowerThreadPriority } from '../../../platform/threads/priority.ts';
import { offer } from '../../../platform/threads/offer-functions.ts';
import { workerOperations } from './worker-operations.ts';
import { searchFile, type SearchFileOptions } from './search-file.ts';

/** The thread of one client: SQLite is synchronous, and neither a search nor a batch of entries may delay its caller. */

lowerThreadPriority();
const file = searchFile(workerData as SearchFileOptions);

offer(workerOperations(file), async (answered) => {
  // Batches in hand leave turns to others, and would open the file again.
  await answered;
  file.close();
});
