import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { runApi, type Instance, type RunningApi } from '../../support/api.ts';
import { published } from '../../support/events.ts';

/** Keys that end, as another instance notices it: one that was asked with the key a moment before. */
let api: RunningApi;
let other: Instance;
beforeEach(async () => {
  api = await runApi();
  await api.project(published());
  other = await api.another();
  await status(api.key);
});
afterEach(() => api[Symbol.asyncDispose]());

async function status(key: string, path = '/top'): Promise<number> {
  const response = await fetch(`${other.url}/api/v1${path}`, { headers: { 'x-api-key': key } });
  await response.arrayBuffer();
  return response.status;
}

const ownId = async () => String((await api.keys.list('tests'))[0]?.id);

async function rotate(overlapMs: number) {
  const rotated = await api.keys.rotate('tests', await ownId(), { overlapMs });
  if (rotated.outcome !== 'rotated') throw new Error(rotated.outcome);
  return rotated;
}

describe('another instance', () => {
  test('refuses a revoked key within 2 s', async () => {
    await api.keys.revoke('tests', await ownId());
    api.clock.movedMs += 2000;
    expect(await status(api.key)).toBe(401);
  });

  test('takes both keys during the overlap of a rotation, and the old one no longer after it', async () => {
    const { key } = await rotate(600_000);
    expect(await status(key)).toBe(200);
    api.clock.movedMs += 590_000;
    expect(await status(api.key)).toBe(200);
    api.clock.movedMs += 12_000;
    expect(await status(api.key)).toBe(401);
    expect(await status(key)).toBe(200);
  });

  test('refuses a key that was rotated without an overlap within 2 s', async () => {
    const { key } = await rotate(0);
    api.clock.movedMs += 2000;
    expect(await status(api.key)).toBe(401);
    expect(await status(key)).toBe(200);
  });
});

describe('another instance that cannot reach the store', () => {
  /** The one route that needs a key and no store. */
  const STATUS = '/status';

  test('knows a key that it has seen for 60 s, and no other one', async () => {
    const unseen = await api.keys.create('tests');
    other.documents.fault = 'down';
    api.clock.movedMs += 55_000;
    expect(await status(api.key, STATUS)).toBe(200);
    expect(await status('key' in unseen ? unseen.key : '', STATUS)).toBe(503);
    api.clock.movedMs += 6000;
    expect(await status(api.key, STATUS)).toBe(503);
  });

  test('lets a key that is revoked meanwhile in for 60 s at most, and not once the store is back', async () => {
    other.documents.fault = 'down';
    await api.keys.revoke('tests', await ownId());
    api.clock.movedMs += 30_000;
    expect(await status(api.key, STATUS)).toBe(200);
    api.clock.movedMs += 31_000;
    expect(await status(api.key, STATUS)).toBe(503);
    other.documents.fault = 'none';
    expect(await status(api.key, STATUS)).toBe(401);
  });

  test('ends a rotated key on time', async () => {
    await rotate(600_000);
    api.clock.movedMs += 570_000;
    expect(await status(api.key)).toBe(200);
    other.documents.fault = 'down';
    api.clock.movedMs += 25_000;
    expect(await status(api.key, STATUS)).toBe(200);
    api.clock.movedMs += 10_000;
    expect(await status(api.key, STATUS)).toBe(401);
  });
});
