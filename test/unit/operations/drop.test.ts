import { expect, test } from 'vitest';

import { compose } from '../../../src/compose/parts.ts';
import { readConfig } from '../../../src/config.ts';
import { dropNamedBuild } from '../../../src/operations/drop.ts';
import { UsageError } from '../../../src/platform/errors.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { commandLine } from '../../../src/platform/text/command-line.ts';
import { temporaryFolder } from '../../support/folder.ts';

test.each(['listings@1-weights', 'weights'])('%s, the name of a shadow, is no build', async (name) => {
  const config = readConfig({ CATALOG_DATA: temporaryFolder() });
  await using parts = await compose(config, 'test', { logger: createLogger('silent', 'test') });
  await expect(dropNamedBuild(parts, new AbortController().signal, name)).rejects.toEqual(
    new UsageError(
      `${name} is no name of a build: "${commandLine('builds list')}" shows them, "${commandLine('shadows list')}" shadows.`,
    ),
  );
});
