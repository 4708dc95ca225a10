import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, vi } from 'vitest';

import type { Parts } from '../../src/compose/parts.ts';
import { startProjector } from '../../src/compose/projector.ts';
import { temporaryFolder } from './folder.ts';
import { runHere } from './run-here.ts';
import { openParts } from './parts.ts';

/** The simulated year that the guides of analysts ask about, made as docs/guides/simulate.md makes it, and folded. */
export interface Year extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>;
  readonly parts: Parts;
}

const ROOT = join(import.meta.dirname, '../..');

export async function openYear(): Promise<Year> {
  const page = readFileSync(join(ROOT, 'docs/guides/simulate.md'), 'utf8');
  const [, script = ''] = /^## A year to ask about$.+?^```sh\n(.+?)^```$/ms.exec(page) ?? [];
  const folder = temporaryFolder();
  const made = await sh(script.replace('data/year', folder), ROOT, {});
  expect(made.code, made.stderr).toBe(0);
  const env = { CATALOG_DATA: folder, CATALOG_SAMPLE: 'off' };
  await using opened = new AsyncDisposableStack();
  const parts = opened.use(await openParts(env));
  const projector = await startProjector(parts, { acceptGaps: [] });
  const isFolded = async (): Promise<void> => expect((await runHere(['status'], env)).code).toBe(0);
  await vi.waitFor(isFolded, { timeout: 120_000, interval: 1000 });
  await projector[Symbol.asyncDispose]();
  const kept = opened.move();
  return { env, parts, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** Runs a script of a guide as it stands there: `npm run` is what package.json says. */
export function sh(script: string, cwd: string, env: Readonly<Record<string, string>>) {
  const text = script.replaceAll(
    'npm run -s catalog --',
    `"${process.execPath}" "${join(ROOT, 'src/main.ts')}"`,
  );
  const given = { ...process.env, LOG_LEVEL: 'silent', ...env };
  const options = { cwd, env: given, maxBuffer: 2 ** 28 };
  return new Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>(
    (resolve) => {
      execFile('sh', ['-c', text], options, (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr });
      });
    },
  );
}
