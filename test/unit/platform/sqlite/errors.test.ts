import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test, vi } from 'vitest';

import { PermanentError, RetryableError } from '../../../../src/platform/errors.ts';
import { explainOpening } from '../../../../src/platform/sqlite/errors.ts';

const CANNOT_OPEN = Object.assign(new Error('unable to open database file'), { errcode: 14 });

test.each([
  [0, RetryableError, /documents\.db cannot be written: the disk is full or failing$/],
  [1, PermanentError, /documents\.db cannot be opened for writing\. Give this user write access .+\.$/],
])(
  'with %d blocks left a file that cannot be opened is told by what there is to do',
  (bavail, kind, says) => {
    const disk = vi.spyOn(fs, 'statfsSync').mockReturnValue({ blocks: 1000, bavail } as fs.StatsFs);
    syncBuiltinESMExports();
    onTestFinished(() => {
      disk.mockRestore();
      syncBuiltinESMExports();
    });
    const explained = explainOpening(join(tmpdir(), 'documents.db'), CANNOT_OPEN);
    expect(explained).toBeInstanceOf(kind);
    expect(explained.message).toMatch(says);
  },
);
