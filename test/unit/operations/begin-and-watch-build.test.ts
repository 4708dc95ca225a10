import { expect, test } from 'vitest';

import { listings } from '../../../projections/listings/index.ts';
import { startProjector } from '../../../src/compose/projector.ts';
import { beginRebuild } from '../../../src/operations/begin-and-watch-build.ts';
import { requireAlias } from '../../../src/stores/aliases.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { openParts } from '../../support/parts.ts';

test('of two rebuilds that are asked for at once one begins a build, and the other shows it', async () => {
  await using parts = await openParts({ CATALOG_DATA: temporaryFolder() });
  await using _projector = await startProjector(parts, { acceptGaps: [] });
  const [one, other] = await Promise.all([beginRebuild(parts, listings), beginRebuild(parts, listings)]);
  expect(one.build).toBe(other.build);
  expect((await requireAlias(parts.documents, 'listings')).beside).toEqual([one.build]);
});
