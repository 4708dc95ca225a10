import { beforeEach, expect, test } from 'vitest';

import type { Documents } from '../../../src/stores/documents/port.ts';
import { IDENTITY } from '../../../src/stores/store-identity.ts';
import { acceptOrigins, isRestored, noteOrigins } from '../../../src/stores/restore-detection.ts';
import { overriding } from '../../support/overriding.ts';
import { openDocuments } from '../../support/documents.ts';

/** A store that tells which making of a collection each is. */
let documents: Documents;
let origins: Map<string, string>;
beforeEach(async () => {
  const store = openDocuments();
  await store.declare(IDENTITY);
  origins = new Map([
    ['checkpoints', 'one'],
    ['listings@2', 'two'],
    ['keys', 'three'],
  ]);
  documents = overriding(store, { origins: async () => origins });
  await noteOrigins(documents);
});

test('documents whose checkpoints or builds were made again were restored, until they are verified', async () => {
  expect(await isRestored(documents)).toBe(false);
  for (const name of ['checkpoints', 'listings@2']) {
    origins.set(name, `${name} again`);
    expect(await isRestored(documents)).toBe(true);
    // A projector that starts on them does not make it good.
    await noteOrigins(documents);
    expect(await isRestored(documents)).toBe(true);
    await acceptOrigins(documents);
    expect(await isRestored(documents)).toBe(false);
  }
});

test('builds that come and go, and collections that stand alone, are no restore', async () => {
  origins.delete('listings@2');
  origins.set('listings@3', 'four');
  origins.set('keys', 'five');
  expect(await isRestored(documents)).toBe(false);
  await noteOrigins(documents);
  origins.set('listings@3', 'six');
  expect(await isRestored(documents)).toBe(true);
});

test('a store that cannot tell is never said to be restored', async () => {
  const mute = overriding(documents, { origins: undefined });
  await noteOrigins(mute);
  await acceptOrigins(mute);
  expect(await isRestored(mute)).toBe(false);
});
