import { execFile } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test, vi } from 'vitest';

import { EMBEDDED } from '../support/mode.ts';
import { install } from '../support/process.ts';
import { commandsHere } from '../support/run-here.ts';
import { withoutProgress } from '../support/without-progress.ts';
import { newcomersCatalog } from './newcomer.ts';
import { forAllTests } from '../support/for-each-test.ts';

// A first start that was killed while it filled the log is made good by the next one.
newcomersCatalog(EMBEDDED, async (catalog, parts) => {
  const killed = catalog.start();
  const isFilling = async () => (await parts.log.ends('catalog.metrics')).some(({ latest }) => latest > 0);
  await vi.waitUntil(isFilling, { timeout: 180_000, interval: 5 });
  await killed.stop('SIGKILL');
});

describe('what goes wrong with files is said in one clear line', () => {
  const oneLine = /^catalog: [^\n]+\n$/;
  const catalog = forAllTests(install);

  test('a damaged database file', async () => {
    await commandsHere(catalog)(['keys', 'create', '--account', 'me']);
    for (const suffix of ['-wal', '-shm'])
      rmSync(join(catalog.folder, `data/documents.db${suffix}`), { force: true });
    writeFileSync(
      join(catalog.folder, 'data/documents.db'),
      'this is no database, it is a sentence. '.repeat(500),
    );
    const { code, stderr } = await catalog.catalog(['start']);
    expect(stderr).toMatch(/^catalog: \S+documents\.db is damaged or is not a database\. .+\n$/);
    expect(code).toBe(1);
  });

  test.runIf(existsSync('/dev/full'))('an output on a full disk', async () => {
    const written = '"$0" src/main.ts simulate > /dev/full';
    const { code, stderr } = await new Promise<{ readonly code: unknown; readonly stderr: string }>(
      (resolve) => {
        execFile('sh', ['-c', written, process.execPath], (error, _stdout, said) =>
          resolve({ code: error?.code, stderr: said }),
        );
      },
    );
    expect(withoutProgress(stderr)).toMatch(oneLine);
    expect(stderr).toContain('no space left');
    expect(code).toBe(1);
  });
});
