import { expect, onTestFinished, test, vi } from 'vitest';

import { makeTemporaryFolder } from '../../../../src/platform/files/temporary-folder.ts';

test('a folder for temporary files that is not there is named, with what to set', () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('TMPDIR', '/nonexistent');
  expect(() => makeTemporaryFolder('x-')).toThrow(
    /^No temporary file can be made in \/nonexistent \(ENOENT\)/,
  );
});
