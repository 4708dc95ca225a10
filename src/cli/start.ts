import { Command } from 'commander';

import { serveAdmin } from '../compose/admin.ts';
import { serveApi, type RunningApi } from '../compose/api.ts';
import type { Parts } from '../compose/parts.ts';
import { messageOf } from '../platform/errors.ts';
import { aborted } from '../platform/lifecycle.ts';
import { startProjectorThread } from '../compose/projector-thread/start.ts';
import { acceptGapOption, checkLanes } from './accept-gap.ts';
import { withParts, type Finish, type Work } from './command.ts';
import { demoKey } from './demo-key.ts';
import { tellLife } from './life.ts';
import { note, print, printLine } from './output.ts';
import { keepSampleAlive } from './sample-rounds.ts';
import { readSample } from './sample-state.ts';
import { publishSample, waitForSample } from './sample.ts';

export function start(finish: Finish): Command {
  return new Command('start')
    .description('Run everything in one process: the API, the projector, the admin port.')
    .addOption(acceptGapOption())
    .option('--json', 'for scripts: one line once it is ready; its log is JSON in any case')
    .addHelpText('after', '\nExample:\n  PORT=9000 CATALOG_SAMPLE=off npm run -s catalog -- start')
    .action((options: StartOptions) => withParts('start', (work) => runAll(work, options, finish)));
}

interface StartOptions {
  readonly acceptGap: readonly string[];
  readonly json?: boolean;
}

async function runAll(
  { config, parts, signal }: Work,
  { acceptGap: acceptGaps, json = false }: StartOptions,
  finish: Finish,
): Promise<void> {
  checkLanes(parts, acceptGaps);
  using life = tellLife(parts, signal);
  await using stack = new AsyncDisposableStack();
  // Listening comes first: a busy port is found before any work is done.
  const api = stack.use(await serveApi(parts));
  const projector = stack.use(await startProjectorThread({ config, acceptGaps }));
  const checks = { documents: api.check, projector: () => projector.health() };
  const metrics = async (): Promise<string> =>
    `${await parts.registry.metrics()}\n${await projector.metrics()}`;
  const admin = stack.use(await serveAdmin(parts, { checks, metrics }));
  try {
    await Promise.race([beReady({ parts, api, adminUrl: admin.url, json, signal }), projector.failure]);
    life.ready({ url: api.url, admin: admin.url });
    if (config.sample === 'on') stack.use(keepSampleAlive(parts, signal));
    await Promise.race([aborted(signal), projector.failure]);
    note('Stopping: requests and batches in hand are finished first.');
  } catch (thrown) {
    parts.logger.fatal({ err: thrown }, 'the projector died');
    note(`catalog: the projector died: ${messageOf(thrown)}. Start again; what was projected is kept.`);
    finish(1);
  }
}

interface Started {
  readonly parts: Parts;
  readonly api: RunningApi;
  readonly adminUrl: string;
  readonly json: boolean;
  readonly signal: AbortSignal;
}

async function beReady({ parts, api, adminUrl, json, signal }: Started): Promise<void> {
  const { config } = parts;
  // Requests to try are printed once they have something to answer with; a later start serves what it has.
  if (config.sample !== 'off' && (await publishSample(parts, signal))) await waitForSample(parts, signal);
  if (signal.aborted) return;
  const hasSample = config.sample !== 'off' && (await readSample(parts.documents)) !== null;
  const key = hasSample ? await demoKey(parts, api.keys) : null;
  if (json) return printLine({ url: api.url, admin_url: adminUrl, demo_key: key });
  print(`Catalog Read API: ${api.url}`);
  print(`Documentation: ${api.url}/docs/en (in Russian: /docs/ru)`);
  print(`Admin: ${adminUrl} (/livez, /readyz, /metrics)`);
  if (hasSample) printDemo(api.url, key);
  else print('Create a key: npm run -s catalog -- keys create --account NAME');
  print('\nCtrl-C stops.');
}

function printDemo(url: string, key: string | null): void {
  if (key === null) {
    print('The account "demo" has no free place for a key: npm run -s catalog -- keys list --account demo');
    return;
  }
  print('The sample: the entries are real; their metrics and the probes of the monitor are generated.');
  print(`Demo key: ${key}\n\nTry:`);
  // curl sends an address as it stands: letters of other alphabets have to be encoded.
  print(`  curl -G -H 'x-api-key: ${key}' --data-urlencode 'q=python' '${url}/api/v1/search?locale=en'`);
  for (const path of ['/listings/durov?locale=en', '/top?kind=bot&limit=5']) {
    print(`  curl -H 'x-api-key: ${key}' '${url}/api/v1${path}'`);
  }
  print(`  curl '${url}/api/status'`);
}
