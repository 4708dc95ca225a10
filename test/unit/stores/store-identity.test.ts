import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { newVersion, type Documents } from '../../../src/stores/documents/port.ts';
import { openSqliteDocuments } from '../../../src/stores/documents/sqlite.ts';
import {
  ensureIdentity,
  FORMAT,
  withIdentityCheck,
  IDENTITY,
  readIdentity,
  renewIdentity,
} from '../../../src/stores/store-identity.ts';
import { temporaryFolder } from '../../support/folder.ts';

const WHERE = 'the store';

let path: string;
let opened: AsyncDisposableStack;
beforeEach(() => {
  opened = new AsyncDisposableStack();
  path = join(temporaryFolder(), 'documents.db');
});
afterEach(() => opened[Symbol.asyncDispose]());

const open = (): Documents => opened.use(openSqliteDocuments(path));

describe('the identity of a store of documents', () => {
  test('is made once, by the first that asks, and is then always the same', async () => {
    const clients = [open(), open(), open(), open()];
    const made = await Promise.all(clients.map((client) => ensureIdentity(client, WHERE)));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(made[0]).toEqual({ id: expect.stringMatching(/^[a-z][a-z0-9]{7}$/), format: FORMAT });
    expect(await ensureIdentity(open(), WHERE)).toEqual(made[0]);
  });

  test('is another one in every store', async () => {
    const elsewhere = opened.use(openSqliteDocuments(join(temporaryFolder(), 'documents.db')));
    expect((await ensureIdentity(elsewhere, WHERE)).id).not.toBe((await ensureIdentity(open(), WHERE)).id);
  });

  test('is renewed where nobody else has done so meanwhile', async () => {
    const documents = open();
    const { id } = await ensureIdentity(documents, WHERE);
    const stored = await readIdentity(documents, WHERE);
    if (!stored) throw new Error('no identity');
    const renewed = await renewIdentity(documents, stored);
    expect(renewed?.id).not.toBe(id);
    expect(await ensureIdentity(documents, WHERE)).toEqual(renewed);
    expect(await renewIdentity(documents, stored)).toBeNull();
  });

  test('is made by the call that declares the first collection, and by nothing that only reads', async () => {
    const documents = withIdentityCheck(open(), WHERE);
    expect(await documents.collections()).toEqual([]);
    expect(await documents.get('aliases', ['listings'])).toEqual(new Map());
    expect(await documents.collections()).toEqual([]);
    await Promise.all(['aliases', 'leases'].map((name) => documents.declare({ name, indexes: [] })));
    expect(await documents.collections()).toEqual(['aliases', 'identity', 'leases']);
    // Another process, which finds collections and an identity.
    expect(await withIdentityCheck(open(), WHERE).collections()).toHaveLength(3);
  });
});

/** What the first release made of a store: collections, and no identity. */
async function firstFormat(...collections: readonly string[]): Promise<void> {
  const documents = open();
  for (const name of collections) {
    await documents.declare({ name, indexes: [] });
    await documents.write(name, [{ id: 'one', read: null, version: newVersion(), body: { old: true } }]);
  }
  await documents[Symbol.asyncDispose]();
}

async function everyCall(documents: Documents): Promise<readonly unknown[]> {
  const write = { id: 'one', read: null, version: newVersion(), body: {} };
  const calls: readonly (() => Promise<unknown>)[] = [
    () => documents.declare({ name: 'parked', indexes: [] }),
    () => documents.get('aliases', ['one']),
    () => documents.versions('aliases', ['one']),
    () => documents.write('aliases', [write]),
    () => documents.remove('aliases', [{ id: 'one', read: 'x' }]),
    () => documents.find('aliases', { where: {}, order: [], limit: 1 }),
    () => documents.count('aliases', { where: {}, by: [] }),
    () => Array.fromAsync(documents.scan('aliases')),
    () => documents.collections(),
    () => documents.drop('aliases'),
    () => documents.now(),
  ];
  const outcomes = await Promise.allSettled(calls.map((call) => call()));
  return outcomes.map((one) => (one.status === 'rejected' ? String(one.reason) : 'answered'));
}

describe('a store of another format', () => {
  test.each([
    { by: 'the first release', collections: ['accounts', 'aliases', 'checkpoints', 'keys', 'listings@1'] },
    { by: 'a command of the first release that only made keys', collections: ['accounts', 'keys'] },
    { by: 'an API of the first release that was never projected to', collections: ['aliases', 'fillings'] },
  ])(
    'that was made by $by is refused by every call, and nothing is changed in it',
    async ({ collections }) => {
      await firstFormat(...collections);
      const before = readFileSync(path);
      const outcomes = await everyCall(withIdentityCheck(open(), WHERE));
      for (const outcome of outcomes) {
        expect(outcome).toMatch(
          /^PermanentError: the store was made by an earlier release, .+ made again\. Or run/,
        );
        expect(outcome).not.toContain('\n');
      }
      expect(await open().collections()).toEqual(collections.toSorted());
      expect(readFileSync(path).equals(before)).toBe(true);
    },
  );

  test.each([
    [
      FORMAT - 1,
      /by an earlier release.+give this release empty documents \(CATALOG_DATA or CATALOG_DOCUMENTS_URL\)/,
    ],
    [FORMAT + 1, /by a later release/],
  ])(
    'that has an identity of the format %i is refused in one line that says what to do',
    async (format, told) => {
      const documents = open();
      await documents.declare(IDENTITY);
      const body = { id: 'abcdefgh', format };
      await documents.write(IDENTITY.name, [{ id: 'store', read: null, version: newVersion(), body }]);
      for (const outcome of await everyCall(withIdentityCheck(documents, WHERE))) {
        expect(outcome).toMatch(told);
        expect(outcome).not.toContain('\n');
      }
      expect((await documents.get(IDENTITY.name, ['store'])).get('store')?.body).toEqual(body);
      expect(await documents.collections()).toEqual([IDENTITY.name]);
    },
  );

  test('is not one that holds only what is none of ours', async () => {
    await firstFormat('invoices', 'users');
    const documents = withIdentityCheck(open(), WHERE);
    await documents.declare({ name: 'aliases', indexes: [] });
    expect(await documents.collections()).toEqual(['aliases', 'identity', 'invoices', 'users']);
  });
});
