import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A path in a new folder, where no file is yet. `remove` deletes the folder. */
export function temporaryPath(name: string): { readonly path: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-'));
  return { path: join(folder, name), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
