import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  /** Of a workspace: `resolved` is its folder. */
  readonly link?: boolean;
  readonly dev?: boolean;
}

/** The packages that the lock file of a folder names, by where they are installed. */
export function packagesIn(folder: string): readonly (readonly [path: string, LockedPackage])[] {
  const file = join(import.meta.dirname, '../..', folder, 'package-lock.json');
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  return Object.entries(packages).filter(
    ([path, { link = false }]) => path.includes('node_modules/') && !link,
  );
}
