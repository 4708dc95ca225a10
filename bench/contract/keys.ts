import { ACCOUNTS, type Account, KEYS, type KeyPointer } from '../../src/access/keys/account-document.ts';
import { keyDigest, newKey, newKeyId } from '../../src/access/keys/key-format.ts';

import { composeKeys } from '../../src/compose/keys-and-accounts.ts';
import { compose } from '../../src/compose/parts.ts';
import { readConfig } from '../../src/config.ts';
import { newVersion, type Write } from '../../src/stores/documents/port.ts';

const PEPPER = { CATALOG_KEY_PEPPER: 'of-a-benchmark-alone' };
const CREATED_AT = '2026-01-01T00:00:00.000Z';
/** Of an account, in turns: 2.5 on average. */
const OF_ACCOUNT = [2, 3];
/** Accounts in one write. */
const BATCH = 1000;

export interface KeysOfContract {
  /** Of a service that knows them. */
  readonly env: Readonly<Record<string, string>>;
  readonly keys: readonly string[];
}

/** Makes so many keys, as the service itself would, but many in one write. A million takes some minutes. */
export async function keysOfContract(
  stores: Readonly<Record<string, string>>,
  count: number,
): Promise<KeysOfContract> {
  const env = { ...stores, ...PEPPER };
  await using parts = await compose(readConfig(env), 'bench');
  await composeKeys(parts);
  const digest = keyDigest(PEPPER.CATALOG_KEY_PEPPER);
  const keys: string[] = [];
  const accounts: Write<Account>[] = [];
  const pointers: Write<KeyPointer>[] = [];
  for (let index = 0; keys.length < count; index += 1) {
    const account = `account-${index}`;
    const records = Array.from({ length: OF_ACCOUNT[index % OF_ACCOUNT.length] ?? 1 }, (_, place) => {
      const key = newKey();
      keys.push(key);
      const record = { id: newKeyId(), digest: digest(key), label: null, place: place + 1 };
      pointers.push(newDocument(record.digest, { account }));
      return { ...record, created_at: CREATED_AT, revoked_at: null };
    });
    accounts.push(newDocument(account, { keys: records }));
    if (accounts.length < BATCH && keys.length < count) continue;
    await parts.documents.write(KEYS.name, pointers.splice(0));
    await parts.documents.write(ACCOUNTS.name, accounts.splice(0));
  }
  return { env, keys };
}

function newDocument<Body>(id: string, body: Body): Write<Body> {
  return { id, read: null, version: newVersion(), body };
}
