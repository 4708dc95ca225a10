import { chmodSync, cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';

import type { CheckResult } from '../../../../src/operations/doctor/check.ts';
import { examine, examineArea } from '../../../../src/operations/doctor/run-checks.ts';
import { readStatus } from '../../../../src/operations/status.ts';
import { configurationArea } from '../../../../src/operations/doctor/configuration.ts';
import type { Parts } from '../../../../src/compose/parts.ts';
import { ensureTopics, startProjector } from '../../../../src/compose/projector.ts';
import { readConfig } from '../../../../src/config.ts';
import type { TopicSettings } from '../../../../src/events/log/port.ts';
import { PermanentError, RetryableError } from '../../../../src/platform/errors.ts';
import { changeAlias, type Alias } from '../../../../src/stores/aliases.ts';
import { LISTINGS } from '../../../support/collections.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { overriding } from '../../../support/overriding.ts';
import { openParts } from '../../../support/parts.ts';

let folder: string;
beforeEach(() => {
  folder = join(temporaryFolder(), 'data');
});

async function opened(env: Readonly<Record<string, string>> = {}): Promise<Parts> {
  const parts = await openParts({ CATALOG_DATA: folder, ...env });
  onTestFinished(() => parts[Symbol.asyncDispose]());
  return parts;
}

const made = join(temporaryFolder(), 'data');
beforeAll(async () => {
  await using parts = await openParts({ CATALOG_DATA: made });
  await using _projector = await startProjector(parts, { acceptGaps: [] });
  const isWhole = async () => {
    const { read_models } = await readStatus(parts, AbortSignal.timeout(20_000));
    const indexes = await parts.search.indexes();
    return indexes.includes(LISTINGS) && read_models.every(({ completed_at }) => completed_at !== null);
  };
  await vi.waitUntil(isWhole, { timeout: 20_000 });
});

/** An installation as `npm start` leaves it. */
async function installed(): Promise<Parts> {
  cpSync(made, folder, { recursive: true });
  const parts = await opened();
  // Each of its files is open then.
  await parts.log.ends('catalog.entries');
  await parts.documents.collections();
  await parts.search.indexes();
  return parts;
}

/** What is found of a process in this installation, some stores of which answer otherwise. */
async function examineWith(
  parts: Parts,
  { log = {}, documents = {}, search = {} }: StoreChanges,
  role: Parameters<typeof examine>[1] = 'project',
): Promise<readonly CheckResult[]> {
  const changed = {
    log: overriding(parts.log, log),
    documents: overriding(parts.documents, documents),
    search: overriding(parts.search, search),
  };
  return await examine(overriding<Parts>(parts, changed), role);
}

interface StoreChanges {
  readonly log?: Partial<Parts['log']>;
  readonly documents?: Partial<Parts['documents']>;
  readonly search?: Partial<Parts['search']>;
}

const down = () => Promise.reject(new RetryableError('connection refused'));

const verdictsOf = (checks: readonly CheckResult[]) =>
  Object.fromEntries(checks.map(({ area, name, verdict }) => [`${area}: ${name}`, verdict]));

const findings = (checks: readonly CheckResult[], verdict: CheckResult['verdict']) =>
  checks.filter((check) => check.verdict === verdict);

test('a folder in which nothing was started is looked at and not made; what needs it is not checked', async () => {
  const checks = await examine(await opened(), 'project');
  expect(existsSync(folder)).toBe(false);
  expect(findings(checks, 'problem')).toEqual([]);
  expect(findings(checks, 'warning').map(({ name }) => name)).toEqual([
    'log file',
    'documents file',
    'search file',
  ]);
  expect(verdictsOf(checks)).toMatchObject({
    'documents: all of it': 'not_checked',
    'log: all of it': 'not_checked',
    'search: all of it': 'not_checked',
  });
});

test('an installation that is well has no problem, and nothing in it is changed', async () => {
  const parts = await installed();
  const before = [readdirSync(folder).toSorted(), await parts.documents.collections()];
  const checks = await examine(parts, 'project');
  expect(findings(checks, 'problem')).toEqual([]);
  const warnings = findings(checks, 'warning').filter(({ area }) => area !== 'disk');
  // That nothing runs there.
  expect(warnings).toMatchObject([{ area: 'findings', name: 'all read models' }]);
  expect(verdictsOf(checks)).toMatchObject({
    'documents: may write checkpoints': 'ok',
    'log: topic catalog.entries': 'ok',
    'log: may read monitor.probes': 'ok',
    [`release: ${LISTINGS}`]: 'ok',
    [`indexes: settings of ${LISTINGS}`]: 'ok',
  });
  expect([readdirSync(folder).toSorted(), await parts.documents.collections()]).toEqual(before);
});

test('every problem and warning says what to do, and all the rest is still checked', async () => {
  const checks = await examineWith(await installed(), {
    log: { partitionCount: down },
    search: { check: down },
  });
  expect(findings(checks, 'problem')).toMatchObject([
    { area: 'log', name: 'reached', message: 'connection refused' },
    { area: 'search', name: 'reached', message: 'connection refused' },
  ]);
  for (const { verdict, hint } of checks)
    expect(hint !== null).toBe(verdict === 'problem' || verdict === 'warning');
  expect(verdictsOf(checks)).toMatchObject({ [`release: ${LISTINGS}`]: 'ok' });
});

describe('rights', () => {
  test('that are missing in the documents store are a problem', async () => {
    const remove = () => Promise.reject(new PermanentError('not authorized on catalog'));
    expect(verdictsOf(await examineWith(await installed(), { documents: { remove } }))).toMatchObject({
      'documents: may read': 'ok',
      'documents: may write checkpoints': 'problem',
    });
  });

  test('of serve are less: it needs no log', async () => {
    const log = { partitionCount: () => Promise.reject(new Error('asked')) };
    const checks = await examineWith(await installed(), { log }, 'serve');
    expect(findings(checks, 'problem')).toEqual([]);
    expect(verdictsOf(checks)).toMatchObject({
      'log: all of it': 'not_checked',
      [`indexes: settings of ${LISTINGS}`]: 'not_checked',
    });
  });

  test.skipIf(process.getuid?.() === 0)('that are missing on a file are a problem', async () => {
    await (await installed())[Symbol.asyncDispose]();
    chmodSync(join(folder, 'log.db'), 0o400);
    expect(verdictsOf(await examine(await opened(), 'project'))).toMatchObject({
      'disk: log file': 'problem',
    });
  });
});

describe('topics', () => {
  const settings: TopicSettings = { partitions: 6, retentionMs: null, remarks: [] };

  async function topicsOf(changed: Partial<TopicSettings> | null) {
    const parts = await opened();
    await ensureTopics(parts);
    await parts.documents.collections();
    await parts.search.indexes();
    const topicSettings = async () => (changed === null ? null : { ...settings, ...changed });
    const checks = await examineWith(parts, { log: { topicSettings } });
    return checks.find(({ name }) => name === 'topic catalog.entries');
  }

  test.each([
    ['are missing', null, 'problem', 'it does not exist'],
    ['have too few partitions', { partitions: 3 }, 'problem', 'it has 3 partitions, expected 6'],
    ['forget', { retentionMs: 86_400_000 }, 'problem', 'kept for 1 d,'],
    ['are compacted', { remarks: ['cleanup.policy is compact'] }, 'problem', 'cleanup.policy is compact'],
    ['have one replica', { durability: { replicas: 1, minInSync: 1 } }, 'warning', '1 replica and'],
    [
      'take what one broker has',
      { durability: { replicas: 3, minInSync: 1 } },
      'warning',
      'min.insync.replicas=1',
    ],
    [
      'stand with one broker',
      { durability: { replicas: 2, minInSync: 2 } },
      'warning',
      '2 replicas and min.insync.replicas=2',
    ],
    ['are right', { durability: { replicas: 3, minInSync: 2 } }, 'ok', '6 partitions'],
  ] as const)('that %s', async (_title, changed, verdict, message) => {
    expect(await topicsOf(changed)).toMatchObject({
      verdict,
      message: expect.stringContaining(message) as string,
    });
  });

  test('that are missing are told with one command to make them', async () => {
    const found = await topicsOf(null);
    expect(`${found?.message} ${found?.hint}`.match(/doctor topics --create/g)).toHaveLength(1);
  });

  test('whose settings this user may not read ask for no right: a projector needs none to', async () => {
    const topicSettings = () =>
      Promise.reject(new PermanentError('Not authorized. Give this user rights on the topics.'));
    const checks = await examineWith(await installed(), { log: { topicSettings } });
    expect(findings(checks, 'problem')).toEqual([]);
    const found = checks.find(({ name }) => name === 'topic catalog.entries');
    expect(found).toMatchObject({ verdict: 'not_checked', hint: null });
    expect(found?.message).not.toMatch(/give/i);
  });

  test('of different numbers of partitions are a warning', async () => {
    const partitionCount = async (topic: string) => (topic === 'catalog.metrics' ? 12 : 6);
    expect(verdictsOf(await examineWith(await installed(), { log: { partitionCount } }))).toMatchObject({
      'log: partitions': 'warning',
    });
  });
});

describe('the release', () => {
  async function withAlias(change: (alias: Alias) => Alias) {
    const parts = await installed();
    await changeAlias(parts.documents, 'listings', (alias) => alias && change(alias));
    return verdictsOf(await examine(parts, 'project'))[`release: ${LISTINGS}`];
  }

  const another = (alias: Alias): Alias => ({
    ...alias,
    version: alias.version + 1,
    collection: `listings@${alias.version + 1}`,
  });

  test('that would refuse to project is a problem: nobody has the fold of the live build', async () => {
    expect(await withAlias(another)).toBe('problem');
  });
  test('that would begin or go on with a build beside one that somebody projects is well', async () => {
    expect(await withAlias((alias) => ({ ...another(alias), collection: `${LISTINGS}-b2` }))).toBe('ok');
  });
  test('that has no answers for the live build is a problem for a process that serves', async () => {
    const parts = await installed();
    expect(verdictsOf(await examine(parts, 'serve'))[`release: ${LISTINGS}`]).toBe('ok');
    await changeAlias(parts.documents, 'listings', (alias) => alias && another(alias));
    const checks = await examine(parts, 'serve');
    expect(findings(checks, 'problem')).toMatchObject([
      { area: 'release', name: expect.stringMatching(/^listings@/) as string },
      // Nobody has made that build here.
      { area: 'findings', name: 'listings@3' },
    ]);
  });
  test('with another fold under the same version is a problem', async () => {
    expect(await withAlias((alias) => ({ ...alias, folds: { [alias.version]: 'another' } }))).toBe('problem');
  });
});

test('an index that is missing is a problem', async () => {
  const search = { indexes: async () => [] };
  expect(verdictsOf(await examineWith(await installed(), { search }))).toMatchObject({
    [`indexes: settings of ${LISTINGS}`]: 'problem',
  });
});

test('a password that is sent in the clear is a warning', async () => {
  const env = {
    CATALOG_LOG_URL: 'kafka://h:9092?tls=false',
    CATALOG_LOG_USERNAME: 'u',
    CATALOG_LOG_PASSWORD: 'p',
  };
  const found = await examineArea(configurationArea, { config: readConfig(env) } as Parts, 'project');
  expect(findings(found, 'warning').map(({ name }) => name)).toContain('password of the log');
});

afterEach(() => {
  if (existsSync(join(folder, 'log.db'))) chmodSync(join(folder, 'log.db'), 0o600);
});
