import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { note } from '../../src/cli/output.ts';
import { showSample, waitForSample } from '../../src/cli/commands/start/sample.ts';
import { serveApi } from '../../src/compose/api.ts';
import { compose } from '../../src/compose/parts.ts';
import { startProjectorThread } from '../../src/compose/projector-thread/start.ts';
import { readConfig } from '../../src/config.ts';
import { stopSignal } from '../../src/platform/stop-signal.ts';
import { install } from '../support/process.ts';

/**
 * `npm run fuzz -- [OPTION OF SCHEMATHESIS...]`: what `npm start` runs, over the sample in a folder of its own, held to its
 * OpenAPI document by Schemathesis. A day's 1,000 requests would be gone in a minute, so the one thing that differs is
 * how many a key may make.
 */
const REQUESTS_A_DAY = 10_000_000;

process.exitCode = await fuzz(process.argv.slice(2));

async function fuzz(options: readonly string[]): Promise<number> {
  using signal = stopSignal();
  await using installation = await install({ CATALOG_SAMPLE: 'once' });
  const config = readConfig(installation.env);
  await using parts = await compose(config, 'fuzz', { dailyLimit: REQUESTS_A_DAY });
  await using api = await serveApi(parts);
  await using projector = startProjectorThread({ config, acceptGaps: [] });
  projector.begin();
  await projector.ready;
  await showSample(parts, signal);
  await waitForSample(parts, signal);
  const created = await api.keys.create('fuzz');
  if (created.outcome !== 'created') throw new Error('No key was made');
  return await schemathesis(options, { url: api.url, key: created.key });
}

interface Target {
  readonly url: string;
  readonly key: string;
}

/** Resolves with its exit code. */
function schemathesis(options: readonly string[], { url, key }: Target): Promise<number> {
  const config = join(import.meta.dirname, 'schemathesis.toml');
  const args = ['--config-file', config, 'run', `${url}/openapi.json`, ...options];
  const env = { ...process.env, CATALOG_KEY: key };
  return new Promise((resolve) => {
    const child = spawn('schemathesis', args, { env, stdio: 'inherit' });
    child.once('error', ({ message }) => {
      note(
        `fuzz: Schemathesis cannot be started (${message}). Install it: docs/guides/fuzz-the-api.md says how.`,
      );
      resolve(1);
    });
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
