/*
 * Makes the two keys of Meilisearch that the processes use; run again, it corrects them. The values follow from the master
 * key and the uids (deploy/secrets computes them), so nothing has to be carried from here to the processes.
 *
 *   MEILISEARCH_URL=http://HOST:7700 MEILISEARCH_MASTER_KEY_FILE=secrets/meilisearch-master-key node deploy/search-keys.ts
 */

import { readFileSync } from 'node:fs';

const INDEXES = ['catalog-*'];

const KEYS = [
  {
    uid: '6f1f0ab0-64d1-4c0e-9a55-0c1de20d7a11',
    name: 'catalog project',
    actions: [
      'search',
      'documents.*',
      'indexes.create',
      'indexes.delete',
      'indexes.get',
      'settings.*',
      'tasks.get',
    ],
  },
  { uid: '6f1f0ab0-64d1-4c0e-9a55-0c1de20d7a12', name: 'catalog serve', actions: ['search'] },
];

const { MEILISEARCH_URL: url = '', MEILISEARCH_MASTER_KEY_FILE: file = '' } = process.env;
const master = readFileSync(file, 'utf8').trim();

for (const key of KEYS) {
  const found = await ask('GET', `/keys/${key.uid}`, null, [200, 404]);
  if (hasRights(found, key.actions)) continue;
  // What a key may do cannot be changed. One that is made again under its uid has the same value.
  if (found !== null) await ask('DELETE', `/keys/${key.uid}`, null, [204, 404]);
  await ask('POST', '/keys', { ...key, indexes: INDEXES, expiresAt: null }, [201, 409]);
  process.stdout.write(`The key "${key.name}" may now: ${key.actions.join(', ')}\n`);
}

function hasRights(found: unknown, actions: readonly string[]): boolean {
  const { actions: has = [], indexes = [] } = (found ?? {}) as { actions?: string[]; indexes?: string[] };
  return same(has, actions) && same(indexes, INDEXES);
}

function same(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify(one.toSorted()) === JSON.stringify(other.toSorted());
}

/** What Meilisearch answers; null for an answer without content, and where there is no such key. */
async function ask(
  method: string,
  path: string,
  body: object | null,
  expected: readonly number[],
): Promise<unknown> {
  const response = await fetch(new URL(path, url), {
    method,
    headers: { Authorization: `Bearer ${master}`, 'Content-Type': 'application/json' },
    ...(body === null ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(10_000),
  });
  const text = await response.text();
  if (!expected.includes(response.status)) {
    throw new Error(`Meilisearch, ${method} ${path}: ${response.status} ${text}`);
  }
  return response.status === 200 ? JSON.parse(text) : null;
}
