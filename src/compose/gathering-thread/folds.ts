import { EARLIER } from '../../../earlier/index.ts';
import { PROJECTIONS } from '../../../projections/index.ts';
import type { Projection } from '../../projecting/engine/projection.ts';

/** The folds that a thread of this release finds by their names: `listings@1`. */
export const FOLDS: ReadonlyMap<string, Projection> = new Map(
  [...EARLIER.map(({ projection }) => projection), ...PROJECTIONS].map((fold) => [foldName(fold), fold]),
);

export function foldName({ name, version }: Pick<Projection, 'name' | 'version'>): string {
  return `${name}@${version}`;
}

/** Whether a thread that looks for its name finds this fold, and no other one of that name: a formula of somebody's own, say. */
export function isKnown(projection: Projection): boolean {
  const found = FOLDS.get(foldName(projection));
  if (!found) return false;
  // Builds and shadows of a fold are copies of it under other names.
  return (['contribution', 'documentId', 'registers'] as const).every(
    (part) => found[part] === projection[part],
  );
}
