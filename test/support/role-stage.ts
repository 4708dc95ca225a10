import { expect } from 'vitest';
import { createQuota } from '../../src/access/quota/quota.ts';
import { DAYS, DAYS_KEPT } from '../../src/access/quota/ended-days.ts';
import { KEY_NOTICES, postNotice, QUOTA_NOTICES } from '../../src/access/instance-notices.ts';
import { QUOTA } from '../../src/access/quota/quota-day-document.ts';
import { composeAccounts, composeKeys } from '../../src/compose/keys-and-accounts.ts';
import { serveAccounts } from '../../src/compose/accounts-server.ts';
import { serveApi } from '../../src/compose/api.ts';
import type { Parts } from '../../src/compose/parts.ts';
import { withoutAccounts } from '../../src/compose/read-only-accounts.ts';
import { startRendererHeartbeat } from '../../src/compose/api.ts';
import { withoutWaiting } from '../../src/compose/retry-start-up.ts';
import { createKeptSummaries } from '../../src/monitor/reading/stored-hour-summaries.ts';
import { systemClock } from '../../src/platform/time/clock.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { changeDocument } from '../../src/stores/documents/change-document.ts';
import { type Documents } from '../../src/stores/documents/port.ts';
import { withIdentityCheck } from '../../src/stores/store-identity.ts';
import { type Act, type RoleName } from './deployed-roles.ts';
import { published } from './events.ts';
import { temporaryFolder } from './folder.ts';
import { signInWith } from './identities.ts';
import { MONITOR } from './collections.ts';
import { hourLink } from './monitor.ts';
import { startProvider } from './oidc-provider.ts';
import { freePort } from './free-ports.ts';
import { openFolded } from './read-models.ts';
import { keyIn, visitor } from './visitor.ts';
import { openParts } from './parts.ts';
import { putDocument } from './documents.ts';
import { words } from './words.ts';

/** A store with nothing in it, as each user of deploy/mongodb-users.js has it. */
export interface RoleStore extends AsyncDisposable {
  as(user: RoleName): Documents;
  /** What the user has used of its rights. */
  used(user: RoleName): ReadonlySet<Act>;
}

export const HOUR = 3_600_000;
const logger = createLogger('silent', 'test');

/** The same parts but for these; a store that nobody asks for stays closed. */
export function overridden(parts: Parts, others: Partial<Parts>): Parts {
  return Object.create(parts, Object.getOwnPropertyDescriptors(others)) as Parts;
}

export interface RoleStage extends AsyncDisposable {
  readonly store: RoleStore;
  /** Where the account pages are. */
  readonly url: string;
  readonly provider: Awaited<ReturnType<typeof startProvider>>;
  /** A one-time link that nobody has used. */
  openLink: string;
  partsAs(user: RoleName): Parts;
}

export async function openRoleStage(store: RoleStore): Promise<RoleStage> {
  const opened = new AsyncDisposableStack();
  opened.use(store);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const provider = opened.use(
    await startProvider([`${url}/en/account/callback`, `${url}/ru/account/callback`]),
  );
  const folder = temporaryFolder();
  const env = {
    CATALOG_DATA: folder,
    CATALOG_KEY_PEPPER: 'a pepper of tests',
    HOST: '127.0.0.1',
    ...provider.environment,
    CATALOG_OIDC_ALLOW: 'ada',
  };
  const parts = {
    serve: opened.use(await openParts({ ...env, PORT: '0' })),
    accounts: opened.use(await openParts({ ...env, PORT: String(port), CATALOG_PUBLIC_URL: url })),
    project: opened.use(await openParts(env)),
  };
  return {
    store,
    url,
    provider,
    openLink: '',
    partsAs: (user) =>
      overridden(parts[user], { documents: withIdentityCheck(store.as(user), 'the store of tests') }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** What a holder, callers and readers do, and what the processes do by themselves; one of the two is there first. */
export async function theWholeStory(stage: RoleStage, first: 'serve' | 'accounts'): Promise<void> {
  await using running = new AsyncDisposableStack();
  const start = {
    accounts: async () => running.use(await serveAccounts(stage.partsAs('accounts'), withoutWaiting)),
    serve: async () => {
      const parts = stage.partsAs('serve');
      return running.use(await serveApi(withoutAccounts(parts), withoutWaiting, 'elsewhere'));
    },
  };
  if (first === 'accounts') await start.accounts();
  const api = await start.serve();
  if (first === 'serve') await start.accounts();

  const project = stage.partsAs('project');
  await (await openFolded(project.documents, project.search, systemClock)).project(published());
  const key = await holdersStory(stage);
  for (const path of words('/api/v1/top /api/v1/search?q=x /api/v1/listings/x /en /en/status /docs/en'))
    await fetch(`${api.url}${path}`, { headers: { 'x-api-key': key } });
  const headers = { 'x-api-key': key };
  expect((await fetch(`${api.url}/api/v1/top`, { headers })).status).toBe(200);
  await whatComesWithTime(stage);
}

/** An account from a link to keys and back, and an identity that joins it. The first key is returned, and works. */
async function holdersStory(stage: RoleStage): Promise<string> {
  const operator = stage.partsAs('project');
  const keys = await composeKeys(operator);
  const accounts = await composeAccounts(operator, keys);
  const link = async (account: string) =>
    `/en/account/sign-in?link=${(await accounts.invite(account, HOUR)).token}`;
  const one = visitor(stage.url);
  await one.get(await link('acme'));
  expect((await one.send('/account/sign-in')).text).toContain('Account acme');
  const key = keyIn((await one.send('/account/keys', { label: 'kept' })).text);
  await one.get('/en/account');
  await one.send('/account/keys', { label: 'second' });
  const second = async () =>
    (await keys.list('acme')).find(({ label, revoked_at }) => label !== 'kept' && revoked_at === null)?.id ??
    '';
  for (const [action, filled] of [
    ['/keys/name', { label: 'renamed' }],
    ['/keys/rotate', { overlap: 'now' }],
    ['/keys/revoke', {}],
  ] as const) {
    await one.get('/en/account');
    expect((await one.send(action, { ...filled, id: await second() })).status).toBe(200);
  }
  // Notes of an account are kept to 200; sessions that have ended go with the next sign-in.
  for (let count = 0; count < 205; count += 1)
    await accounts.note('acme', { action: 'key_named', keyId: 'k_1' });
  await one.get('/en/account');
  expect((await one.send('/sign-out')).text).toContain('You are signed out');
  const ada = visitor(stage.url);
  expect((await signInWith(stage.provider, ada, 'ada')).text).toMatch(/Account oidc-/);
  for (const account of ['another', 'acme']) {
    const joined = await signInWith(stage.provider, visitor(stage.url), 'ada', await link(account));
    expect(joined.text).toContain(`Account ${account}`);
  }
  return key;
}

/** What `serve` does later than a test waits for: the same code, sooner. */
async function whatComesWithTime(stage: RoleStage): Promise<void> {
  const { documents } = stage.partsAs('serve');
  const soon = { ...systemClock, sleep: (_ms: number, signal?: AbortSignal) => systemClock.sleep(5, signal) };
  {
    await using _rendering = await startRendererHeartbeat({ documents, clock: soon, logger }, {});
    await expect.poll(() => stage.store.used('serve').has('update renderers')).toBe(true);
  }
  const summaries = createKeptSummaries({ documents, collection: MONITOR, storeLimitMs: 10_000, logger });
  const { summary } = hourLink('v1');
  const ended = { version: 'v1', summary: { ...summary, hour: summary.hour - 100 * 24 } };
  for (const [link, action] of [
    [ended, 'insert'],
    [{ ...ended, version: 'v2' }, 'update'],
    [hourLink('v1'), 'remove'],
  ] as const) {
    const isDone = () => {
      // Another write of this document that is under way wins over it.
      summaries.save([link]);
      return stage.store.used('serve').has(`${action} monitor-summaries`);
    };
    await expect.poll(isDone).toBe(true);
  }
  // A day beyond those that are kept, when today is counted as a new one.
  const project = stage.store.as('project');
  const day = '2020-01-01';
  const days = Array.from({ length: DAYS_KEPT }, (_, index) => `2020-02-${String(index + 10)}`);
  await changeDocument<{ days: readonly string[] }>(project, DAYS.name, 'counted', () => ({
    days: [...days, day],
  }));
  const body = { place: 'old/1', day, shares: {}, uses: {} };
  await putDocument(project, QUOTA.name, `${day}/old/1`, body);
  await using quota = createQuota({ documents, clock: systemClock });
  await quota.take('old/1', 'k_1');
  await expect.poll(() => stage.store.used('serve').has('remove quota')).toBe(true);
  for (const [user, spec] of [
    ['serve', QUOTA_NOTICES],
    ['accounts', KEY_NOTICES],
  ] as const) {
    await postNotice(stage.store.as(user), spec, ['the first']);
    // Of many notices the oldest go.
    const newest = { number: 10_000, about: [] };
    await putDocument(project, spec.name, '0000010000', newest);
    await postNotice(stage.store.as(user), spec, ['one more']);
    expect(stage.store.used(user)).toContain(`remove ${spec.name}`);
  }
}

/** Everything that there is to be changed: a document in each of the collections. */
export async function somebodyIsIn(stage: RoleStage): Promise<void> {
  await using running = new AsyncDisposableStack();
  running.use(await serveAccounts(stage.partsAs('accounts'), withoutWaiting));
  await holdersStory(stage);
  const operator = stage.partsAs('project');
  const accounts = await composeAccounts(operator, await composeKeys(operator));
  stage.openLink = (await accounts.invite('acme', HOUR)).token;
}
