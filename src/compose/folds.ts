import type { Projection } from '../projecting/engine/projection.ts';
import { readAlias } from '../stores/live.ts';
import { foldIdentity } from './fold-identity.ts';
import type { Parts } from './parts.ts';

/** The folds that this release can run: its own, and those of earlier releases that it keeps. */
export function foldsOf({
  projections,
  earlier,
}: Pick<Parts, 'projections' | 'earlier'>): readonly Projection[] {
  return [...projections, ...earlier];
}

/** The same without a kept fold that is not the one that made the documents of its version. */
export async function foldsToProject(parts: Parts): Promise<readonly Projection[]> {
  const kept: Projection[] = [];
  for (const projection of parts.earlier) {
    const known = (await readAlias(parts.documents, projection.name))?.folds[projection.version];
    if (known === undefined || known === (await foldIdentity(projection, parts))) kept.push(projection);
  }
  return [...parts.projections, ...kept];
}
