import { aborted } from 'node:util';

import { startProjectorThread } from '../../compose/projector-thread/start.ts';
import type { StartUp } from '../../compose/retry-start-up.ts';
import { keepSample } from '../../operations/sample/keep-current.ts';
import { messageOf } from '../../platform/errors.ts';
import { StoppedError } from '../../projecting/engine/retry.ts';
import type { WaitOutcome } from '../../projecting/inspect/lane-progress.ts';
import { ACCEPT_GAP } from '../accept-gap-option.ts';
import { command, type ExitCode } from '../command.ts';
import { note } from '../output.ts';
import { asService, type Service } from '../service.ts';
import { announce } from './start/announcement.ts';
import { showSample, waitForSample } from './start/sample.ts';

export const start = command({
  takes: { acceptGap: ACCEPT_GAP },
  run: ({ acceptGap, json = false }) =>
    asService('start', (service) => runAll(service, acceptGap, json), acceptGap),
});

async function runAll(service: Service, acceptGaps: readonly string[], json: boolean): Promise<ExitCode> {
  const { parts, signal, starting, stack, checks, metrics, ready } = service;
  const { config, registry } = parts;
  // It loads its code meanwhile.
  const projector = stack.use(startProjectorThread({ config, acceptGaps }));
  const { serveApi } = await import('../../compose/api.ts');
  // Listening comes first: a busy port is found before any work is done.
  const accountsAt = config.accounts === 'off' ? 'nowhere' : 'here';
  const api = stack.use(await serveApi(parts, starting.wait, accountsAt));
  Object.assign(checks, api.checks);
  projector.begin();
  checks['projector'] = () => projector.health();
  metrics.read = async () => `${await registry.metrics()}\n${await projector.metrics()}`;
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
