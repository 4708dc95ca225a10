import { expect, test } from 'vitest';

import { dropNamedBuild } from '../../../src/operations/drop.ts';
import { readRemoved } from '../../../src/operations/list-builds.ts';
import { UsageError } from '../../../src/platform/errors.ts';
import { commandLine } from '../../../src/platform/text/command-hint.ts';
import { claimVersion } from '../../../src/stores/claim-version.ts';
import { putDocument } from '../../support/documents.ts';
import { overriding } from '../../support/overriding.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { openParts } from '../../support/parts.ts';

test.each(['listings@1-weights', 'weights'])('%s, the name of a shadow, is no build', async (name) => {
  await using parts = await openParts({ CATALOG_DATA: temporaryFolder() });
  await expect(dropNamedBuild(parts, new AbortController().signal, name)).rejects.toEqual(
    new UsageError(
      `${name} is no name of a build: "${commandLine('builds list')}" shows them, "${commandLine('shadows list')}" shadows.`,
    ),
  );
});

test('of a read model that this release does not have all builds go, the live one too', async () => {
  await using opened = await openParts({ CATALOG_DATA: temporaryFolder() });
  const parts = overriding(opened, { clock: { ...opened.clock, sleep: async () => undefined } });
  const claimed = { name: 'mentions', version: 1, collection: 'mentions@1', index: null, fold: 'x' };
  await claimVersion(parts.documents, claimed);
  await parts.documents.declare({ name: 'mentions@1', indexes: [] });
  await putDocument(parts.documents, 'mentions@1', 'one', {});
  expect(await readRemoved(parts)).toEqual(['mentions@1']);
  await dropNamedBuild(parts, new AbortController().signal, 'mentions@1');
  expect(await readRemoved(parts)).toEqual([]);
  expect(await parts.documents.collections()).not.toContain('mentions@1');
});
