import { randomBytes } from 'node:crypto';

import { type Accounts, createAccounts } from '../access/accounts/sign-in.ts';
import { createKeys, type Keys } from '../access/keys/keys.ts';
import { PermanentError } from '../platform/errors.ts';
import { keepPepperMark, readPepperMarks } from './pepper-mark.ts';
import type { Oidc } from '../api/pages/account/oidc/code-flow.ts';
import type { OidcSettings } from '../api/pages/account/oidc/settings.ts';
import { embeddedPepper } from './embedded-pepper.ts';
import type { Parts } from './parts.ts';
import type { Wait } from './retry-start-up.ts';

interface ComposeKeysOptions {
  /** For what needs none in particular, such as revoking a key: then even a lost one stops nobody. Default false. */
  readonly withAnyPepper?: boolean;
}

/**
 * API keys on the configured documents store, with the configured pepper. Where nothing may be made, a missing pepper
 * fails what needs it and nothing else.
 * @throws {PermanentError} where the keys in the store were made with another pepper, or with one that is gone.
 */
export async function composeKeys(
  { access, config, documents, clock, logger }: Parts,
  { withAnyPepper = false }: ComposeKeysOptions = {},
): Promise<Keys> {
  const marks = await readPepperMarks(documents);
  // Keys that nobody has marked may be of any pepper.
  const isKnown = marks !== null && marks.length > 0;
  // One that is lost is not made anew.
  const given =
    config.keyPepper ?? embeddedPepper(config.dataFolder, isKnown && access === 'create' ? 'change' : access);
  const pepper = given ?? (withAnyPepper ? randomBytes(32).toString('base64url') : null);
  const keys = createKeys({ documents, pepper, clock, logger });
  if (access !== 'read') await keys.declare();
  if (access === 'read' || withAnyPepper || (pepper === null && access === 'change')) return keys;
  const mark = pepper === null ? null : keys.secretFor('the mark of the pepper');
  if (isKnown && (mark === null || !marks.includes(mark))) throw new PermanentError(OTHER_PEPPER);
  if (marks === null && mark !== null && access === 'create') await keepPepperMark(documents, mark);
  return keys;
}

const OTHER_PEPPER =
  'The API keys in the documents store were made with another pepper than is given here, in CATALOG_KEY_PEPPER or the file pepper of the data folder, and none of them would be recognised. Put that one back. Where it is lost for good: docs/guides/api-keys.md, "The pepper".';

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
