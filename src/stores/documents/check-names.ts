import { PermanentError } from '../../platform/errors.ts';
import type { CollectionSpec, Index } from './port.ts';

/** What collections and paths are called: the same on every store. Each check throws a PermanentError. */

const COLLECTION = /^[a-z][a-z0-9_.@-]{0,63}$/;
/** Every store takes each key as a name. */
const PATH = /^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*){0,19}$/i;
const NAME = /^[a-z][a-z0-9_]*$/i;
/** What MongoDB documents have beside the keys of a body. */
const TAKEN: ReadonlySet<string> = new Set(['version', 'body']);

export function checkCollection(name: string): void {
  if (!COLLECTION.test(name)) {
    throw new PermanentError(
      `${JSON.stringify(name)} is no name of a collection: at most 64 of a-z, 0-9, _ . @ -, a letter first.`,
    );
  }
}

export function checkSpec({ name, indexes }: CollectionSpec): void {
  checkCollection(name);
  if (indexes.some((index) => index.length === 0))
    throw new PermanentError(`An index of ${name} has no paths.`);
  const roots = rootsOf(indexes);
  if (new Set(roots.map((root) => root.toLowerCase())).size < roots.length) {
    throw new PermanentError(
      `The keys that indexes of ${name} begin with have to be unique, regardless of case: ${roots.join(', ')}.`,
    );
  }
}

export function checkPath(path: string): void {
  if (!isPath(path)) {
    throw new PermanentError(
      `${JSON.stringify(path)} is no path: at most 20 keys of a-z, A-Z, 0-9, _, a letter first, joined with dots.`,
    );
  }
}

export function isPath(path: string): boolean {
  return PATH.test(path) && !TAKEN.has(rootOf(path));
}

/** Whether every store takes the key as a name. */
export function isName(key: string): boolean {
  return NAME.test(key);
}

/** The keys of the body that indexes begin with, each once. @throws {PermanentError} where a path is none. */
export function rootsOf(indexes: readonly Index[]): readonly string[] {
  const paths = indexes.flat().map((entry) => entry.replace(/^-/, ''));
  paths.forEach(checkPath);
  return [...new Set(paths.map(rootOf))];
}

/** The key of the body that a path begins with. */
export function rootOf(path: string): string {
  return path.split('.', 1)[0] ?? '';
}
