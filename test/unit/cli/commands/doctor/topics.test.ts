import { expect, test } from 'vitest';

import { lookAtTopics } from '../../../../../src/cli/commands/doctor.ts';
import type { Parts } from '../../../../../src/compose/parts.ts';
import { ensureTopics } from '../../../../../src/compose/projector.ts';
import { PermanentError, RetryableError } from '../../../../../src/platform/errors.ts';
import { temporaryFolder } from '../../../../support/folder.ts';
import { overriding } from '../../../../support/overriding.ts';
import { openParts } from '../../../../support/parts.ts';
import { printedTo } from '../../../../support/printed-to.ts';

/** The exit code, and what is printed, where the log answers otherwise. */
async function looked(log: Partial<Parts['log']>) {
  await using parts = await openParts({ CATALOG_DATA: temporaryFolder() });
  await ensureTopics(parts);
  const printed = printedTo('stdout');
  const code = await lookAtTopics(overriding<Parts>(parts, { log: overriding(parts.log, log) }), true);
  return { code, ...(JSON.parse(printed()) as { ok: boolean; checks: readonly { name: string }[] }) };
}

test.each([
  ['may not be read', new PermanentError('Not authorized.')],
  ['do not come in time', new RetryableError('no answer within 10 s')],
])('topics whose settings %s are not right: nothing was compared', async (_title, error) => {
  const topicSettings = () => Promise.reject(error);
  expect(await looked({ topicSettings })).toMatchObject({ code: 1, ok: false });
});

test('topics that are right are so whatever of their records can be read', async () => {
  const ends = () => Promise.reject(new PermanentError('Not authorized.'));
  const { code, ok, checks } = await looked({ ends });
  expect({ code, ok }).toEqual({ code: 0, ok: true });
  expect(checks.filter(({ name }) => name.startsWith('topic '))).toHaveLength(6);
  expect(checks.map(({ name }) => name)).not.toContain('clock');
});
