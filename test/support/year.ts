import { expect, vi } from 'vitest';

import { startProjector } from '../../src/compose/projector.ts';
import { temporaryFolder } from './folder.ts';
import { readFile, scriptsIn, sh } from './guides.ts';
import { runHere } from './run-here.ts';
import { openParts } from './parts.ts';

/** The simulated year that the guides of analysts ask about, made as docs/guides/simulate.md makes it, and folded. */
export async function openYear() {
  const [script = ''] = scriptsIn(readFile('docs/guides/simulate.md'), 'A year to ask about');
  const folder = temporaryFolder();
  const made = await sh(script.replace('data/year', folder), process.cwd(), {});
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
