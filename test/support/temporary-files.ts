import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives a run a folder of its own for temporary files, and removes it, whatever the tests have left in it. */

let folder: string | null = null;

export function setup(): void {
  folder = mkdtempSync(join(tmpdir(), 'catalog-tests-'));
  process.env['TMPDIR'] = folder;
}

export function teardown(): void {
  if (folder !== null) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
