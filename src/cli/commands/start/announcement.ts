import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Keys } from '../../../access/keys/keys.ts';
import { invitationUrl } from '../../../compose/keys-and-accounts.ts';
import type { RunningApi } from '../../../compose/api.ts';
import type { Parts } from '../../../compose/parts.ts';
import { readSample } from '../../../operations/sample/publish.ts';
import { makeFolder } from '../../../platform/files/private-files.ts';
import { commandLine } from '../../../platform/text/command-hint.ts';
import { DAY_MS } from '../../../platform/time/instant.ts';
import { TEXTS } from '../../../texts/texts.ts';
import { print, printLine } from '../../output.ts';
import type { Service } from '../../service.ts';

/** Prints the addresses and what to try. */
export async function announce({ parts, adminUrl, signal }: Service, api: RunningApi, json: boolean) {
  if (signal.aborted) return;
  const hasSample = parts.config.sample !== 'off' && (await readSample(parts.documents)) !== null;
  const key = hasSample ? await demoKey(parts, api.keys) : null;
  const account = await ownAccount(parts, api);
  if (json)
    return printLine({ url: api.url, admin_url: adminUrl, demo_key: key, account_url: account }, 'shown');
  print(`Catalog Read API: ${api.url}`);
  print(`Documentation: ${api.url}/docs/en (in Russian: /docs/ru)`);
  print(`Admin: ${adminUrl} (the operator page; /livez, /readyz, /metrics)`);
  if (account !== null)
    print([`Your account, where you make keys (this link works once, for a day): ${account}`], 'shown');
  if (hasSample) printDemo(api.url, key);
  else if (account === null) print(`Create a key: ${commandLine('keys create --account NAME')}`);
  print(['', 'Ctrl-C stops.']);
}

/** A fresh one-time link to the account of whoever starts the service; null where this process serves no account pages. */
async function ownAccount({ config }: Parts, { accounts, url }: RunningApi): Promise<string | null> {
  if (accounts === null) return null;
  const { token } = await accounts.invite('owner', DAY_MS);
  return invitationUrl(config.publicUrl ?? url, token);
}

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
  const list = commandLine('keys list --account demo');
  if (key === null) return print(`The account "demo" has no free place for a key: ${list}`);
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
