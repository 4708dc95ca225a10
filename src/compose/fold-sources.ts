import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

import { EQUAL_FOLDS } from '../../projections/equal-folds.ts';
import { collectionOf, type Projection } from '../projecting/engine/projection.ts';
import { importsOf, sourcesDigest } from '../projecting/engine/sources.ts';
import type { FoldIdentity } from '../stores/folds.ts';
import type { Parts } from './parts.ts';

/** A fold that this release can run, as it is told from others. */
export interface Fold {
  readonly projection: Projection;
  readonly identity: FoldIdentity;
  /** The digest of what its registers are made of; absent where nobody knows: then they are no other fold's. */
  readonly registers?: string;
}

/** The folds of this release, and those of earlier ones that it keeps. */
export async function foldsOf({ projections, earlier }: Parts): Promise<readonly Fold[]> {
  const current = projections.map((projection) => ({ projection, root: OURS }));
  const all = [...current, ...earlier].map(async ({ projection, root }) => ({
    projection,
    identity: await foldIdentity(projection, root),
    registers: await registersDigest(projection.name, root),
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
  return sourcesDigest({
    roots: foldRoots(name).map((path) => new URL(path, root)),
    without: silentIn(root),
  });
}

/** They say why something was refused, and decide nothing. */
function silentIn(root: URL): readonly URL[] {
  return ['src/events/rejection.ts', 'src/platform/errors.ts'].map((path) => new URL(path, root));
}

/**
 * The digest of what the registers of a projection's documents are made of: how it takes an event in (`evolve.ts`; all of
 * a projection that has none), how its events are decoded, and their schemas. Two folds with one digest make equal
 * registers of equal events, whatever views they compute from them.
 */
export async function registersDigest(name: string, root = OURS): Promise<string> {
  const index = new URL(`projections/${name}/index.ts`, root);
  const evolve = new URL(`projections/${name}/evolve.ts`, root);
  const events = new URL('src/events/', root).href;
  const schemas = importsOf(index, await readFile(index, 'utf8')).filter(({ href }) =>
    href.startsWith(events),
  );
  const taking = existsSync(evolve) ? evolve : index;
  const roots = [taking, new URL('src/events/decode.ts', root), ...schemas];
  return await sourcesDigest({ roots, without: silentIn(root) });
}

/** The files that a projection's fold begins in; all that they import belongs to it. */
export function foldRoots(name: string): readonly string[] {
  return [`projections/${name}/index.ts`, 'src/events/decode.ts', 'src/projecting/engine/fold.ts'];
}
