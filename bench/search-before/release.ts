import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** The last commit before queries were understood. */
const BEFORE = 'af06bae0ad4db2a19dada7f54087bad33d2e38ea';

export const ROOT = join(import.meta.dirname, '../..');

/** The sources of then, with the packages of now: it takes few of them, and none that search asks of. */
export function checkOut(folder: string): void {
  mkdirSync(folder);
  const options = { cwd: ROOT, maxBuffer: 2 ** 28 };
  const archive = execFileSync('git', ['archive', BEFORE, 'src', 'projections', 'package.json'], options);
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}
