import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** The text of a file of the project, by its path from the root. */
export function readFile(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** The sources whose text fits, by their paths from the root, in order. */
export function sourcesWhere(fits: (text: string, path: string) => boolean): readonly string[] {
  const paths = globSync('{src,projections}/**/*.ts', { cwd: root }).map((path) => path.split(sep).join('/'));
  return paths.filter((path) => fits(readFile(path), path)).toSorted();
}
