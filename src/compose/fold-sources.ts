import { EQUAL_FOLDS } from '../../projections/equal-folds.ts';
import { collectionOf, type Projection } from '../projecting/engine/projection.ts';
import { sourcesDigest } from '../projecting/engine/sources.ts';
import type { FoldIdentity } from '../stores/live.ts';

/** The fold that this release has of a projection, and those that are proven equal to it. */
export async function foldIdentity(projection: Projection): Promise<FoldIdentity> {
  const sources = await foldDigest(projection.name);
  return { sources, equal: EQUAL_FOLDS[collectionOf(projection)] ?? [] };
}

/** The digest of what a projection's fold is made of: its own files, how events are decoded, how they are joined. */
export function foldDigest(name: string): Promise<string> {
  const ours = (path: string): URL => new URL(`../../${path}`, import.meta.url);
  return sourcesDigest({
    roots: [
      ours(`projections/${name}/index.ts`),
      ours('src/events/decode.ts'),
      ours('src/projecting/engine/fold.ts'),
    ],
    without: [ours('src/events/rejection.ts'), ours('src/platform/errors.ts')],
  });
}
