import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A fresh folder; it goes with the folder of the run (temporary-files.ts). */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'catalog-test-'));
}
