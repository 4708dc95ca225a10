import { expect, test } from 'vitest';

import { EQUAL_FOLDS } from '../../../projections/equal-folds.ts';
import { PROJECTIONS } from '../../../projections/index.ts';
import { foldsOf } from '../../../src/compose/fold-sources.ts';
import type { Parts } from '../../../src/compose/parts.ts';
import { collectionOf } from '../../../src/projecting/engine/projection.ts';

test('a fold goes on with the documents of every fold that is proven equal to it, and is one of them', async () => {
  const root = new URL('../../../', import.meta.url);
  const earlier = PROJECTIONS.map((projection) => ({ projection, root }));
  const folds = await foldsOf({ projections: [], earlier } as unknown as Parts);
  expect(folds).toHaveLength(PROJECTIONS.length);
  // A new read model, or a new version of one, is in nobody's documents yet: it has nothing to be proven equal to.
  const proven = folds.filter(({ projection }) => collectionOf(projection) in EQUAL_FOLDS);
  expect(proven).not.toEqual([]);
  for (const { projection, identity } of proven) {
    expect(identity.equal).toEqual(EQUAL_FOLDS[collectionOf(projection)]);
    expect(identity.equal).toContain(identity.sources);
  }
});
