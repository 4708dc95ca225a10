import { PermanentError } from '../../platform/errors.ts';
import type { CollectionSpec } from './port.ts';

/** What collections, paths and tables are called: the same on every store. Each check throws a PermanentError. */

const COLLECTION = /^[a-z][a-z0-9_.@-]{0,63}$/;
const PATH = /^[a-z_][a-z0-9_]*(?:\.[a-z0-9_]+){0,19}$/i;
const NATIVE_KEY = /^[a-z][a-z0-9_]*$/i;
/** What MongoDB documents have beside the keys of a body. */
const TAKEN: ReadonlySet<string> = new Set(['version', 'body', 'fields', 'whole']);
/** Tables that a SQLite file has for itself. */
const TABLES = /^(?:collections|indexes|sqlite_.*)$/i;

export function checkCollection(name: string): void {
  if (!COLLECTION.test(name)) {
    throw new PermanentError(
      `${JSON.stringify(name)} is no name of a collection: at most 64 of a-z, 0-9, _ . @ -, a letter first.`,
    );
  }
}

export function checkSpec(spec: CollectionSpec): void {
  const { name, indexes, native = [], beside = [], table } = spec;
  checkCollection(name);
  checkBeside(spec);
  const apart = [...native, ...beside].map((key) => key.toLowerCase());
  if (new Set(apart).size < apart.length) {
    throw new PermanentError(
      `The native keys of ${name} and those beside its bodies have to be unique, regardless of case: ${apart.join(', ')}.`,
    );
  }
  for (const key of native) {
    if (key.includes('.') || !isNativePath(key)) {
      throw new PermanentError(`${JSON.stringify(key)} cannot be a native key of ${name}.`);
    }
  }
  for (const index of indexes) {
    if (index.length === 0) throw new PermanentError(`An index of ${name} has no paths.`);
    for (const entry of index) {
      const path = entry.replace(/^-/, '');
      checkPath(path);
      if (native.includes(rootOf(path)) && !isNativePath(path)) {
        throw new PermanentError(`${path} has a key that cannot be native, in an index of ${name}.`);
      }
    }
  }
  if (!table) return;
  const columns = [table.id, ...Object.keys(table.columns), ...native].map((column) => column.toLowerCase());
  const isTaken = TABLES.test(table.name) || new Set(columns).size < columns.length;
  if (isTaken || ![table.name, ...columns].every(isNativeKey)) {
    throw new PermanentError(`The table of ${name} needs names of a-z, 0-9, _, each of them once.`);
  }
  Object.values(table.columns).flat().forEach(checkPath);
}

/** What stands beside the body is found without it, and the body without what stands beside it. */
function checkBeside({ name, indexes, native = [], beside = [], table }: CollectionSpec): void {
  for (const key of beside) {
    if (!isNativeKey(key) || native.includes(key)) {
      throw new PermanentError(`${JSON.stringify(key)} cannot be kept beside the bodies of ${name}.`);
    }
  }
  const isBeside = (path: string): boolean => beside.includes(rootOf(path.replace(/^-/, '')));
  const mixed = indexes.find((index) => index.some(isBeside) && !index.every(isBeside));
  if (mixed)
    throw new PermanentError(`[${mixed.join(', ')}] of ${name} mixes the body with what stands beside it.`);
  if (
    Object.values(table?.columns ?? {})
      .flat()
      .some(isBeside)
  ) {
    throw new PermanentError(`The table of ${name} shows what stands beside the body.`);
  }
}

export function checkPath(path: string): void {
  if (!PATH.test(path)) {
    throw new PermanentError(
      `${JSON.stringify(path)} is no path: at most 20 keys of a-z, A-Z, 0-9, _, joined with dots, no digit first.`,
    );
  }
}

/** Whether every store takes the key as a name: a letter, then letters, digits and _. */
export function isNativeKey(key: string): boolean {
  return NATIVE_KEY.test(key);
}

/** Whether a path may lie under a native key. */
export function isNativePath(path: string): boolean {
  return path.split('.').every(isNativeKey) && !TAKEN.has(rootOf(path));
}

/** The key of the body that a path begins with. */
export function rootOf(path: string): string {
  return path.split('.', 1)[0] ?? '';
}
