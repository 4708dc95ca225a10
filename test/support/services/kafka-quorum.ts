import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Which node leads the quorum of controllers, by the newest word of any: each keeps it in a file. */
export async function activeController(folders: readonly string[]): Promise<number> {
  const states = await Promise.all(
    folders.map(async (folder) => {
      const file = join(folder, '__cluster_metadata-0/quorum-state');
      return JSON.parse(await readFile(file, 'utf8')) as QuorumState;
    }),
  );
  const newest = states.reduce((a, b) => (b.leaderEpoch > a.leaderEpoch ? b : a));
  return newest.leaderId;
}

interface QuorumState {
  /** -1 while an election is under way. */
  readonly leaderId: number;
  readonly leaderEpoch: number;
}
