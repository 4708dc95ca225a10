import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { listings } from '../../../projections/listings/index.ts';
import { monitor } from '../../../projections/monitor/index.ts';
import { DAYS } from '../../../src/access/quota/ended-days.ts';
import { QUOTA } from '../../../src/access/quota/quota-day-document.ts';
import { createQuota, type Quota } from '../../../src/access/quota/quota.ts';
import {
  createReadiness,
  type Readiness,
  type ReadinessOptions,
  PROBE_MS,
} from '../../../src/api/readiness.ts';
import { systemClock } from '../../../src/platform/time/clock.ts';
import { RetryableError } from '../../../src/platform/errors.ts';
import { collectionOf, indexOf, type Projection } from '../../../src/projecting/engine/projection.ts';
import { beginBuild, BUILDS, completeBuild } from '../../../src/stores/builds.ts';
import { type Documents } from '../../../src/stores/documents/port.ts';
import { openSqliteDocuments } from '../../../src/stores/documents/sqlite.ts';
import { claimVersion } from '../../../src/stores/claim-version.ts';
import { readAlias } from '../../../src/stores/aliases.ts';
import { refuseUnservable, servableVersions } from '../../../src/stores/serving-processes.ts';
import type { Search } from '../../../src/stores/search/port.ts';
import { LISTINGS, MONITOR } from '../../support/collections.ts';
import { overriding } from '../../support/overriding.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { putFeedLease } from '../../support/read-models.ts';

let documents: Documents;
let quota: Quota;
/** Why every write fails; null where none does. */
let refusal: string | null;
let writes: number;
/** By which time has gone on faster than it does. */
let ahead: number;
const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + ahead };
beforeEach(async () => {
  documents = openSqliteDocuments(join(temporaryFolder(), 'documents.db'));
  await documents.declare(BUILDS);
  await putFeedLease(documents, LISTINGS, 'told');
  [refusal, writes, ahead] = [null, 0, 0];
  const write: Documents['write'] = async (...asked) => {
    writes += 1;
    if (refusal !== null) throw new RetryableError(refusal);
    return await documents.write(...asked);
  };
  quota = createQuota({ documents: overriding(documents, { write }), clock });
  await quota.declare();
});
afterEach(async () => {
  await quota[Symbol.asyncDispose]();
  await documents[Symbol.asyncDispose]();
});

const answering: Pick<Search, 'query'> = {
  query: async () => ({ ids: [], total: 0, totalIsExact: true, seals: ['told'] }),
};

function readiness(overrides: Partial<ReadinessOptions> = {}): Readiness {
  const readModels = ['listings', 'monitor'];
  return createReadiness({
    documents,
    live: (name) => readAlias(documents, name),
    search: answering,
    quota,
    clock,
    readModels,
    ...overrides,
  });
}

async function claim(projection: Projection): Promise<void> {
  const { name, version } = projection;
  const [collection, index] = [collectionOf(projection), indexOf(projection)];
  await claimVersion(documents, { name, version, collection, index, fold: 'x' });
}

async function complete(projection: Projection): Promise<void> {
  await claim(projection);
  await beginBuild(documents, collectionOf(projection), {});
  await completeBuild(documents, collectionOf(projection));
}

describe('documents', () => {
  test('are not ready before a projector was there, nor before each build has been complete once', async () => {
    expect(await readiness().documents()).toMatchObject({
      ok: false,
      detail: expect.stringContaining('all read models: nobody has ever projected here.') as string,
    });
    await complete(listings);
    expect((await readiness().documents()).detail).toContain(
      'monitor: it has not caught up with the log yet',
    );
    await claim(monitor);
    await beginBuild(documents, MONITOR, { [`${MONITOR}/monitor.probes/0`]: 7 });
    const unready = await readiness().documents();
    expect(unready.ok).toBe(false);
    expect(unready.detail).toContain(`${MONITOR}: it has not caught up with the log yet`);
    expect(unready.detail).not.toContain('listings');
    await completeBuild(documents, MONITOR);
    expect(await readiness().documents()).toEqual({ ok: true, detail: `serving ${LISTINGS}, ${MONITOR}` });
  });

  test('that fail, or do not answer, are not ready', async () => {
    const down = overriding(documents, {
      get: () => Promise.reject(new RetryableError('the store is down')),
    });
    expect(await readiness({ live: (name) => readAlias(down, name) }).documents()).toMatchObject({
      ok: false,
      findings: [{ code: 'store_fails', subject: 'documents', reason: 'the store is down' }],
    });
    const silent = () => new Promise<never>(() => undefined);
    expect(await readiness({ live: silent, limitMs: 20 }).documents()).toMatchObject({ ok: false });
  });
});

test('what a count needs and is gone is declared again', async () => {
  for (const projection of [listings, monitor]) await complete(projection);
  for (const collection of [QUOTA.name, DAYS.name]) await documents.drop(collection);
  expect((await readiness().documents()).ok).toBe(true);
  expect((await quota.take('place', 'key')).granted).toBe(true);
});

test('a live build that this release has no answers for is told as that, and no store is blamed', async () => {
  for (const projection of [listings, monitor]) await complete(projection);
  const live = refuseUnservable(
    (name) => readAlias(documents, name),
    servableVersions([{ name: 'monitor', version: 3 }]),
  );
  const found = { code: 'not_servable', subject: LISTINGS };
  expect(await readiness({ live }).documents()).toMatchObject({ ok: false, findings: [found] });
  expect(await readiness({ live }).search()).toMatchObject({ degraded: true, findings: [found] });
});

describe('documents that take no writes', () => {
  test('are not ready, for no request with a key can be counted; they are once they take them again', async () => {
    for (const projection of [listings, monitor]) await complete(projection);
    const api = readiness();
    const look = () => api.documents();
    refusal = 'the disk is full';
    expect(await look()).toMatchObject({ ok: false, findings: [{ reason: 'the disk is full' }] });
    refusal = null;
    ahead += PROBE_MS;
    expect(await look()).toMatchObject({ ok: true });
    refusal = 'no primary';
    ahead += PROBE_MS;
    expect(await look()).toMatchObject({ ok: false, findings: [{ reason: 'no primary' }] });
  });

  test('are tried every five seconds at most, however often somebody asks', async () => {
    for (const projection of [listings, monitor]) await complete(projection);
    const api = readiness();
    const look = () => api.documents();
    refusal = 'the disk is full';
    await look();
    const tried = writes;
    expect(tried).toBeGreaterThan(0);
    ahead += PROBE_MS / 2;
    await Promise.all([look(), look()]);
    expect(writes).toBe(tried);
  });
});

test('search that is down, does not answer, or is being filled is degraded, named, and ready', async () => {
  await complete(listings);
  expect(await readiness().search()).toEqual({ ok: true, detail: 'answers' });
  const down = { query: () => Promise.reject(new RetryableError('Meilisearch is down')) };
  expect(await readiness({ search: down }).search()).toMatchObject({
    ok: true,
    degraded: true,
    findings: [{ code: 'store_fails', subject: 'search', reason: 'Meilisearch is down' }],
  });
  const silent = { query: () => new Promise<never>(() => undefined) };
  expect(await readiness({ search: silent, limitMs: 200 }).search()).toMatchObject({
    ok: true,
    degraded: true,
    findings: [{ code: 'store_fails', subject: 'search' }],
  });
  await putFeedLease(documents, LISTINGS, null);
  expect(await readiness().search()).toMatchObject({
    ok: true,
    degraded: true,
    detail: expect.stringContaining('is being filled') as string,
  });
  await putFeedLease(documents, LISTINGS, 'told');
  expect(await readiness().search()).not.toHaveProperty('degraded');
});
