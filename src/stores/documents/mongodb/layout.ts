import { rootOf } from '../names.ts';

/** What the indexes of a collection say of its bodies: the keys that are native, and the paths under them that indexes have. */
export interface Layout {
  readonly keys: ReadonlySet<string>;
  readonly paths: readonly string[];
}

export function layoutOf(paths: readonly string[]): Layout {
  return { keys: new Set(paths.map(rootOf)), paths };
}
