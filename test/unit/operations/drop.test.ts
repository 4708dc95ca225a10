import { expect, test } from 'vitest';

import { dropNamedBuild } from '../../../src/operations/drop.ts';
import { UsageError } from '../../../src/platform/errors.ts';
import { commandLine } from '../../../src/platform/text/command-hint.ts';
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
