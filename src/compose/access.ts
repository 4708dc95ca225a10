import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Accounts, createAccounts } from '../access/accounts/sign-in.ts';
import { createKeys, type Keys } from '../access/keys/manage-keys.ts';
import type { Oidc } from '../api/pages/account/oidc/code-flow.ts';
import type { OidcSettings } from '../api/pages/account/oidc/settings.ts';
import type { Parts } from './parts.ts';
import type { Wait } from './retry-start-up.ts';
import { codeOf, PermanentError } from '../platform/errors.ts';
import { makeFolder, makePrivate } from '../platform/files/private-files.ts';
import type { Access } from '../platform/sqlite/open-database.ts';

/**
 * API keys on the configured documents store, with the configured pepper. Where nothing may be made, a missing pepper
 * fails what needs it and nothing else.
 */
export async function composeKeys({ access, config, documents, clock, logger }: Parts): Promise<Keys> {
  const pepper = config.keyPepper ?? embeddedPepper(config.dataFolder, access);
  const keys = createKeys({ documents, pepper, clock, logger });
  if (access !== 'read') await keys.declare();
  return keys;
}

/** Accounts on the same store, under the same pepper. Where nothing may be made, they are only looked at. */
export async function composeAccounts(
  { access, documents, logger }: Parts,
  keys: Pick<Keys, 'secretFor'>,
): Promise<Accounts> {
  const secret = keys.secretFor('sessions and one-time links');
  const accounts = createAccounts({ documents, secret, logger });
  if (access !== 'read') await accounts.declare();
  return accounts;
}

/** The page that a one-time link opens, in English as the command line is; it can be read in the other language too. */
export function invitationUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/en/account/sign-in?link=${token}`;
}

/** What account pages are made of, whichever process serves them. Without a provider of identities its library is not loaded. */
export async function composeAccountPages(parts: Parts, keys: Keys, wait: Wait) {
  const accounts = await wait('the accounts in the documents store', () => composeAccounts(parts, keys));
  const oidc = await composeOidc(parts.config.oidc);
  return { accounts, keys, formSecret: keys.secretFor('forms of visits'), oidc };
}

async function composeOidc(settings: OidcSettings | null): Promise<Oidc | undefined> {
  if (settings === null) return undefined;
  const { createOidc } = await import('../api/pages/account/oidc/code-flow.ts');
  return createOidc(settings);
}

/** The pepper of an embedded installation: made once, readable by its user alone. null where it is missing. */
function embeddedPepper(dataFolder: string, access: Access): string | null {
  const file = join(dataFolder, 'pepper');
  if (access === 'create') makePepper(dataFolder, file);
  if (access !== 'read') makePrivate(file);
  const pepper = readPepper(file);
  if (pepper !== null && pepper.length < 16) {
    throw new PermanentError(
      `${file} is damaged. Restore it from a backup: without it no existing API key is recognised.`,
    );
  }
  return pepper;
}

function makePepper(dataFolder: string, file: string): void {
  try {
    makeFolder(dataFolder);
    // `wx`: of two processes that start at once, one makes it and the other one reads it.
    writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (thrown) {
    if (codeOf(thrown) === 'EEXIST') return;
    throw new PermanentError(
      `${file} cannot be written. Give this user write access to the folder, or set CATALOG_KEY_PEPPER.`,
      { cause: thrown },
    );
  }
}

function readPepper(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return null;
    throw new PermanentError(
      `${file} cannot be read. Give this user read access to it, or set CATALOG_KEY_PEPPER.`,
      { cause },
    );
  }
}
