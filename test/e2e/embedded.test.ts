import { existsSync } from 'node:fs';

import { expect, test, vi } from 'vitest';

import { temporaryFolder } from '../support/folder.ts';
import { EMBEDDED } from '../support/mode.ts';
import { withoutProgress } from '../support/without-progress.ts';
import { newcomersCatalog } from './newcomer.ts';
import { sh } from '../support/guides.ts';

// A first start that was killed while it filled the log is made good by the next one.
newcomersCatalog(EMBEDDED, async (catalog, parts) => {
  const killed = catalog.start();
  const isFilling = async () => (await parts.log.ends('catalog.metrics')).some(({ latest }) => latest > 0);
  await vi.waitUntil(isFilling, { timeout: 180_000, interval: 5 });
  await killed.stop('SIGKILL');
});

test.runIf(existsSync('/dev/full'))('an output on a full disk is said in one clear line', async () => {
  const run = (command: string) =>
    sh(`npm run -s catalog -- ${command}`, process.cwd(), { CATALOG_DATA: temporaryFolder() });
  const { code, stderr } = await run('simulate > /dev/full');
  expect(withoutProgress(stderr)).toMatch(/^catalog: [^\n]+no space left[^\n]+\n$/);
  expect(code).toBe(1);
  expect((await run('keys create --account a > /dev/full')).stderr).toMatch(
    /^Key k_\w+ of a.+revoke it if.+\ncatalog: .+no space/,
  );
});
