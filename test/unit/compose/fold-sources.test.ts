import { expect, test } from 'vitest';

import { EQUAL_FOLDS } from '../../../projections/equal-folds.ts';
import { PROJECTIONS } from '../../../projections/index.ts';
import { foldsOf } from '../../../src/compose/fold-sources.ts';
import type { Parts } from '../../../src/compose/parts.ts';
import { collectionOf } from '../../../src/projecting/engine/projection.ts';

test('a kept fold goes on with the documents of every fold that is proven equal to it', async () => {
  const root = new URL('../../../', import.meta.url);
  const earlier = PROJECTIONS.map((projection) => ({ projection, root }));
  const folds = await foldsOf({ projections: [], earlier } as unknown as Parts);
  for (const { projection, identity } of folds) {
    expect(identity.equal).toEqual(EQUAL_FOLDS[collectionOf(projection)]);
    expect(identity.equal).toContain(identity.sources);
  }
  expect(folds).toHaveLength(PROJECTIONS.length);
});
