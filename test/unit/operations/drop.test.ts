import { expect, test } from 'vitest';

import { compose } from '../../../src/compose/parts.ts';
import { readConfig } from '../../../src/config.ts';
import { dropNamedBuild } from '../../../src/operations/drop.ts';
import { UsageError } from '../../../src/platform/errors.ts';
import { createLogger } from '../../../src/platform/logger.ts';
import { commandLine } from '../../../src/platform/text/command-line.ts';
import { replaceDocument } from '../../../src/stores/documents/change.ts';
import { SHADOWS, type Shadow } from '../../../src/stores/shadows.ts';
import { temporaryFolder } from '../../support/folder.ts';

test('whoever would drop a shadow as a build is told the command that does it', async () => {
  const config = readConfig({ CATALOG_DATA: temporaryFolder() });
  await using parts = await compose(config, 'test', { logger: createLogger('silent', 'test') });
  const { signal } = new AbortController();
  const refusal = (name: string): Promise<unknown> =>
    dropNamedBuild(parts, signal, name).catch((thrown: unknown) => thrown);
  await parts.documents.declare(SHADOWS);
  expect(await refusal('listings@1-weights')).toEqual(
    new UsageError(`listings@1-weights is no name of a build: "${commandLine('builds list')}" shows them.`),
  );
  const body: Shadow = {
    read_model: 'listings',
    name: 'weights',
    source: 'log',
    from: null,
    until: null,
    formula: null,
    began_at: 0,
    made: null,
  };
  await replaceDocument(
    parts.documents,
    SHADOWS.name,
    { id: 'listings@1-weights', version: undefined },
    body,
  );
  for (const name of ['listings@1-weights', 'weights'])
    expect(await refusal(name)).toEqual(
      new UsageError(`${name} is a shadow: "${commandLine(`shadows drop ${name}`)}" removes it.`),
    );
});
