import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Keys } from '../../../access/keys/keys.ts';
import { TEXTS } from '../../../texts/texts.ts';
import type { Parts } from '../../../compose/parts.ts';
import { commandLine } from '../../../platform/text/command-line.ts';
import { print } from '../../output.ts';
import { makeFolder } from '../../../platform/files/private-files.ts';

/**
 * The key that `start` shows while the sample is on: made once, kept in the data folder for its user alone, and made
 * again when it has been revoked. null where the account has no place for another one.
 */
export async function demoKey({ config }: Parts, keys: Keys): Promise<string | null> {
  const file = join(config.dataFolder, 'demo-key');
  const kept = existsSync(file) ? (await readFile(file, 'utf8')).trim() : null;
  if (kept !== null && (await keys.check(kept)).outcome === 'active') return kept;
  const created = await keys.create('demo', { label: 'shown by start' });
  if (created.outcome !== 'created') return null;
  makeFolder(config.dataFolder);
  await writeFile(file, `${created.key}\n`, { mode: 0o600 });
  return created.key;
}

/** Requests to try, with the demo key in them. */
export function printDemo(url: string, key: string | null): void {
  if (key === null) {
    print(`The account "demo" has no free place for a key: ${commandLine('keys list --account demo')}`);
    return;
  }
  print(TEXTS.en.shell.sample.notice);
  const withKey = `-H 'x-api-key: ${key}'`;
  const requests = [
    // curl sends an address as it stands: letters of other alphabets have to be encoded.
    `-G ${withKey} --data-urlencode 'q=python' '${url}/api/v1/search?locale=en'`,
    `${withKey} '${url}/api/v1/listings/durov?locale=en'`,
    `${withKey} '${url}/api/v1/top?kind=bot&limit=5'`,
    `'${url}/api/status'`,
  ];
  print([`Demo key: ${key}`, '', 'Try:', ...requests.map((request) => `  curl ${request}`)], 'shown');
}
