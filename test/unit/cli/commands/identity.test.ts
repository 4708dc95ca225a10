import { expect, test } from 'vitest';

import { changeDocument } from '../../../../src/stores/documents/change-document.ts';
import { SILENT_MS } from '../../../../src/stores/heartbeats.ts';
import { WORKERS, type Worker } from '../../../../src/stores/workers.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { runHere } from '../../../support/run-here.ts';
import { openParts } from '../../../support/parts.ts';

test('an identity is not renewed under a projector that is there, though its log keeps it from telling how far it is', async () => {
  const env = { CATALOG_DATA: temporaryFolder() };
  await using parts = await openParts(env);
  await parts.documents.declare(WORKERS);
  const spoke = async (at: number) => {
    const worker: Worker = { at, where: 'host-7:42', ok: false, detail: '', lanes: {} };
    await changeDocument(parts.documents, WORKERS.name, 'worker', () => worker);
  };
  await spoke(Date.now());
  const before = await parts.identity();
  expect(await runHere(['doctor', 'identity', '--renew'], env)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('host-7:42'),
  });
  await spoke(Date.now() - SILENT_MS);
  const { code, stdout } = await runHere(['doctor', 'identity', '--renew'], env);
  expect(code).toBe(0);
  expect(stdout.trim()).not.toBe(before);
});
