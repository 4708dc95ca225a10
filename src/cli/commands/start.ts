import type { RunningApi } from '../../compose/api.ts';
import type { StartUp } from '../../compose/start-up.ts';
import { keepSample } from '../../operations/sample/keep.ts';
import { readSample } from '../../operations/sample/state.ts';
import { commandLine } from '../../platform/text/command-line.ts';
import { messageOf } from '../../platform/errors.ts';
import { untilAborted } from '../../platform/lifecycle.ts';
import { StoppedError } from '../../projecting/engine/retry.ts';
import type { WaitOutcome } from '../../projecting/inspect/progress.ts';
import { startProjectorThread } from '../../compose/projector-thread/start.ts';
import { command, type ExitCode } from '../command.ts';
import { ACCEPT_GAP, checkLanes, flag } from '../options.ts';
import { note, print, printLine } from '../output.ts';
import { asService, type Service } from '../service.ts';
import { ownAccount } from './accounts/link.ts';
import { demoKey, printDemo } from './start/demo.ts';
import { showSample, waitForSample } from './start/sample.ts';

export const start = command({
  takes: {
    acceptGap: ACCEPT_GAP,
    json: flag('for scripts: one line once it is ready; its log is JSON in any case'),
  },
  help: '\nExample:\n  PORT=9000 CATALOG_SAMPLE=off npm run -s catalog -- start',
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
  const { config, parts, signal, starting, stack, checks, metrics, ready } = service;
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
  await Promise.race([projector.ready, untilAborted(signal)]);
  if (signal.aborted) return 0;
  try {
    const served = await Promise.race([serveSample(service), projector.failure]);
    await Promise.race([announce(service, api, json), projector.failure]);
    void beWhole(served, starting);
    ready(api.url);
    if (config.sample !== 'off') stack.use(keepSample(parts, signal));
    await Promise.race([untilAborted(signal), projector.failure]);
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
