import { readProgress } from '../../src/projecting/inspect/lane-progress.ts';

/** How many records in the log the documents have not taken in. */
export async function lagOf(parts: Parameters<typeof readProgress>[0]): Promise<number> {
  return (await readProgress(parts)).reduce((sum, { lag }) => sum + lag, 0);
}
