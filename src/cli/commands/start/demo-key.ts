import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Keys } from '../../../access/keys/keys.ts';
import type { Parts } from '../../../compose/parts.ts';
import { makeFolder } from '../../../platform/private-files.ts';

/**
 * The key that `start` shows while the sample is on: made once, kept in the data folder for its user alone, and made
 * anew when it has been revoked. null where the account has no place for another one.
 */
export async function demoKey({ config }: Parts, keys: Keys): Promise<string | null> {
  const file = join(config.dataFolder, 'demo-key');
  const kept = await readKept(file);
  if (kept !== null && (await keys.check(kept)).outcome === 'active') return kept;
  const created = await keys.create('demo', { label: 'shown by start' });
  if (created.outcome !== 'created') return null;
  makeFolder(config.dataFolder);
  await writeFile(file, `${created.key}\n`, { mode: 0o600 });
  return created.key;
}

async function readKept(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return null;
    throw thrown;
  }
}
