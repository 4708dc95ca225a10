import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aborted } from 'node:util';

import type { Keys } from '../../access/keys/manage-keys.ts';
import { invitationUrl } from '../../compose/access.ts';
import type { RunningApi } from '../../compose/api.ts';
import type { Parts } from '../../compose/parts.ts';
import { startProjectorThread } from '../../compose/projector-thread/start.ts';
import type { StartUp } from '../../compose/start-up.ts';
import { keepSample } from '../../operations/sample/keep-current.ts';
import { publishSample, readSample } from '../../operations/sample/publish.ts';
import { messageOf } from '../../platform/errors.ts';
import { makeFolder } from '../../platform/files/private-files.ts';
import { commandLine } from '../../platform/text/command-hint.ts';
import { DAY_MS } from '../../platform/time/instant.ts';
import { standingBuilds } from '../../projecting/builds/builds-by-fold.ts';
import { StoppedError } from '../../projecting/engine/retry.ts';
import { readProgress, type WaitOutcome } from '../../projecting/inspect/lane-progress.ts';
import { sampleSize } from '../../sample/sample.ts';
import { counted } from '../../texts/english-amounts.ts';
import { TEXTS } from '../../texts/texts.ts';
import { command, type ExitCode } from '../command.ts';
import { ACCEPT_GAP, checkLanes, flag } from '../options.ts';
import { note, print, printLine } from '../output.ts';
import { showProgress } from '../progress.ts';
import { asService, type Service } from '../service.ts';
import { waitUntilServed } from '../wait-until-served.ts';

export const start = command({
  takes: {
    acceptGap: ACCEPT_GAP,
    json: flag('for scripts: one line once it is ready; its log is JSON in any case'),
  },
  run: async ({ acceptGap, json = false }) => {
    let code: ExitCode = 0;
    const run = async (service: Service): Promise<void> => {
      code = await runAll(service, acceptGap, json);
    };
    await asService('start', run, (parts) => checkLanes(parts, acceptGap));
    return code;
  },
});

async function runAll(service: Service, acceptGaps: readonly string[], json: boolean): Promise<ExitCode> {
  const { parts, signal, starting, stack, checks, metrics, ready } = service;
  const { config } = parts;
  // It loads its code meanwhile.
  const projector = stack.use(startProjectorThread({ config, acceptGaps }));
  const { serveApi } = await import('../../compose/api.ts');
  // Listening comes first: a busy port is found before any work is done.
  const accountsAt = config.accounts === 'off' ? 'nowhere' : 'here';
  const api = stack.use(await serveApi(parts, starting.wait, accountsAt));
  Object.assign(checks, api.checks);
  projector.begin();
  checks['projector'] = () => projector.health();
  metrics.read = async () => `${await parts.registry.metrics()}\n${await projector.metrics()}`;
  await Promise.race([projector.ready, aborted(signal, signal)]);
  if (signal.aborted) return 0;
  try {
    const served = await Promise.race([serveSample(service), projector.failure]);
    await Promise.race([announce(service, api, json), projector.failure]);
    void beWhole(served, starting);
    ready(api.url);
    if (config.sample !== 'off') stack.use(keepSample(parts, signal));
    await Promise.race([aborted(signal, signal), projector.failure]);
    note('Stopping: requests and batches in hand are finished first.');
    return 0;
  } catch (thrown) {
    if (thrown instanceof StoppedError && signal.aborted) throw thrown;
    parts.logger.fatal({ err: thrown }, 'the projector died');
    note(`catalog: the projector died: ${messageOf(thrown)}. Start again; what was projected is kept.`);
    return 1;
  }
}

/**
 * Requests to try are printed once they have something to answer with; a later start serves what it has. Ready is what
 * has all of it, however long that takes: what is returned waits for that.
 */
async function serveSample({ parts, starting, signal }: Service): Promise<() => Promise<WaitOutcome>> {
  return await starting.wait('the sample', async () => {
    const isNew = parts.config.sample !== 'off' && (await showSample(parts, signal));
    return isNew ? await waitForSample(parts, signal) : async () => 'reached';
  });
}

/** A store that fails meanwhile is waited for; what waiting does not fix is said by `/readyz`, and the service goes on. */
async function beWhole(served: () => Promise<WaitOutcome>, { wait, started }: StartUp): Promise<void> {
  try {
    if ((await wait('everything of the sample to be served', served)) === 'reached') started();
  } catch (thrown) {
    if (!(thrown instanceof StoppedError))
      note(`catalog: the sample is not served whole: ${messageOf(thrown)}`);
  }
}

/** Prints the addresses and what to try. */
async function announce({ parts, adminUrl, signal }: Service, api: RunningApi, json: boolean): Promise<void> {
  if (signal.aborted) return;
  const hasSample = parts.config.sample !== 'off' && (await readSample(parts.documents)) !== null;
  const key = hasSample ? await demoKey(parts, api.keys) : null;
  const account = await ownAccount(parts, api);
  if (json)
    return printLine({ url: api.url, admin_url: adminUrl, demo_key: key, account_url: account }, 'shown');
  print(`Catalog Read API: ${api.url}`);
  print(`Documentation: ${api.url}/docs/en (in Russian: /docs/ru)`);
  print(`Admin: ${adminUrl} (the operator page; /livez, /readyz, /metrics)`);
  if (account !== null)
    print([`Your account, where you make keys (this link works once, for a day): ${account}`], 'shown');
  if (hasSample) printDemo(api.url, key);
  else if (account === null) print(`Create a key: ${commandLine('keys create --account NAME')}`);
  print(['', 'Ctrl-C stops.']);
}

/** A fresh one-time link to the account of whoever starts the service; null where this process serves no account pages. */
async function ownAccount({ config }: Parts, { accounts, url }: RunningApi): Promise<string | null> {
  if (accounts === null) return null;
  const { token } = await accounts.invite('owner', DAY_MS);
  return invitationUrl(config.publicUrl ?? url, token);
}

/**
 * The key that `start` shows while the sample is on: made once, kept in the data folder for its user alone, and made
 * again when it has been revoked. null where the account has no place for another one.
 */
export async function demoKey({ config }: Parts, keys: Keys): Promise<string | null> {
  const file = join(config.dataFolder, 'demo-key');
  const kept = existsSync(file) ? (await readFile(file, 'utf8')).trim() : null;
  if (kept !== null && (await keys.check(kept)).outcome === 'active') return kept;
  const created = await keys.create('demo', { label: 'shown by start' });
  if (created.outcome !== 'created') return null;
  makeFolder(config.dataFolder);
  await writeFile(file, `${created.key}\n`, { mode: 0o600 });
  return created.key;
}

/** Requests to try, with the demo key in them. */
export function printDemo(url: string, key: string | null): void {
  if (key === null) {
    print(`The account "demo" has no free place for a key: ${commandLine('keys list --account demo')}`);
    return;
  }
  print(TEXTS.en.shell.sample.notice);
  const withKey = `-H 'x-api-key: ${key}'`;
  const requests = [
    // curl sends an address as it stands: letters of other alphabets have to be encoded.
    `-G ${withKey} --data-urlencode 'q=python' '${url}/api/v1/search?locale=en'`,
    `${withKey} '${url}/api/v1/listings/durov?locale=en'`,
    `${withKey} '${url}/api/v1/top?kind=bot&limit=5'`,
    `'${url}/api/status'`,
  ];
  print([`Demo key: ${key}`, '', 'Try:', ...requests.map((request) => `  curl ${request}`)], 'shown');
}

/** Appends the sample where the log is empty. Says whether there is anything to wait for. */
export async function showSample(parts: Parts, signal: AbortSignal): Promise<boolean> {
  const size = sampleSize();
  using progress = showProgress();
  let appended = 0;
  const onAppended = (many: number): void =>
    progress.update('sample events appended', (appended = many), size);
  const isNew = await publishSample(parts, signal, onAppended);
  if (isNew && appended === size) note(`${counted(size, 'sample event')} appended.`);
  return isNew;
}

/** A search engine that is down must not keep the rest from being used. */
const PATIENCE_MS = 30_000;
const QUIET_POLL_MS = 1000;

/**
 * Waits until everything that is in the log now is served, search included; half a minute at most. What it returns
 * waits on, quietly and for as long as it takes.
 */
export async function waitForSample(parts: Parts, signal: AbortSignal): Promise<() => Promise<WaitOutcome>> {
  const { log, documents, topicName } = parts;
  const projections = await standingBuilds(parts);
  const lanes = await readProgress({ log, documents, topicName, projections });
  const places = lanes.map(({ topic, partition, latest }) => ({ topic, partition, position: latest - 1 }));
  const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  const progress = showProgress();
  const waited = await waitUntilServed(parts, places, patience, { onProgress: progress.update }).finally(() =>
    progress[Symbol.dispose](),
  );
  const where = `see "${commandLine('status')}"`;
  if (waited === 'stopped' && !signal.aborted) note(`catalog: not everything is served yet: ${where}.`);
  if (waited === 'halted') note(`catalog: a lane has halted: ${where}.`);
  if (waited === 'reached') return async () => waited;
  return () => waitUntilServed(parts, places, signal, { pollMs: QUIET_POLL_MS });
}
