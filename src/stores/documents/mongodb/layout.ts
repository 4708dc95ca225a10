import { isNativePath, rootOf } from '../names.ts';

/** What of a collection's bodies is native: the keys, and the paths under them that indexes have. */
export interface Layout {
  readonly native: ReadonlySet<string>;
  readonly paths: readonly string[];
}

/** The name of a path's field in queries and indexes. */
export function fieldOf(path: string, { native }: Layout): string {
  return native.has(rootOf(path)) ? path : `${PREFIX}${path.replaceAll('.', '/')}`;
}

/** The path of such a field, and whether it is native; null where the name is none. */
export function pathOf(field: string): { readonly path: string; readonly isNative: boolean } | null {
  if (field.startsWith(PREFIX)) {
    return { path: field.slice(PREFIX.length).replaceAll('/', '.'), isNative: false };
  }
  return isNativePath(field) ? { path: field, isNative: true } : null;
}

const PREFIX = 'fields.';
