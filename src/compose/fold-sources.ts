import { EQUAL_FOLDS } from '../../projections/equal-folds.ts';
import { collectionOf, type Projection } from '../projecting/engine/projection.ts';
import { sourcesDigest } from '../projecting/engine/sources.ts';
import type { FoldIdentity } from '../stores/folds.ts';
import type { Parts } from './parts.ts';

/** A fold that this release can run, as it is told from others. */
export interface Fold {
  readonly projection: Projection;
  readonly identity: FoldIdentity;
}

/** The folds of this release, and those of earlier ones that it keeps. */
export async function foldsOf({ projections, earlier }: Parts): Promise<readonly Fold[]> {
  const current = projections.map((projection) => ({ projection, root: OURS }));
  const all = [...current, ...earlier].map(async ({ projection, root }) => ({
    projection,
    identity: await foldIdentity(projection, root),
  }));
  return await Promise.all(all);
}

/** The fold that stands in a folder of a projection, and those that are proven equal to it. */
export async function foldIdentity(projection: Projection, root = OURS): Promise<FoldIdentity> {
  const sources = await foldDigest(projection.name, root);
  return { sources, equal: EQUAL_FOLDS[collectionOf(projection)] ?? [] };
}

/** Where the files of this release stand. */
const OURS = new URL('../../', import.meta.url);

/** The digest of what a projection's fold is made of: its own files, how events are decoded, how they are joined. */
export function foldDigest(name: string, root = OURS): Promise<string> {
  const ours = (path: string): URL => new URL(path, root);
  return sourcesDigest({
    roots: foldRoots(name).map(ours),
    without: [ours('src/events/rejection.ts'), ours('src/platform/errors.ts')],
  });
}

/** The files that a projection's fold begins in; all that they import belongs to it. */
export function foldRoots(name: string): readonly string[] {
  return [`projections/${name}/index.ts`, 'src/events/decode.ts', 'src/projecting/engine/fold.ts'];
}
