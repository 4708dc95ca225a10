import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import type { Config } from '../config.ts';

const MIB = 2 ** 20;
/** Below it SQLite may already be refused a page, or its write-ahead log. */
const FULL = 16 * MIB;

/**
 * That a second build may not fit beside the one that is there; null where it does, or nobody can tell. A build takes no
 * more than all the documents do now.
 */
export function littleRoom({ documentsUrl }: Pick<Config, 'documentsUrl'>): string | null {
  if (documentsUrl.scheme !== 'sqlite') return null;
  const free = freeBeside(documentsUrl.path);
  const size = statSync(documentsUrl.path, { throwIfNoEntry: false })?.size ?? 0;
  if (free === null || free - FULL >= size) return null;
  return `Only ${Math.floor(free / MIB)} MiB are free beside ${documentsUrl.path}, and another build may need ${Math.ceil(size / MIB)} MiB: where the disk runs full, live data stands still as well.`;
}

function freeBeside(path: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize;
  } catch {
    // Some file systems do not say: then nothing is said of it here.
    return null;
  }
}
