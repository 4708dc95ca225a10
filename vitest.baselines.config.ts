import { defineConfig } from 'vitest/config';

/** Takes the pictures that pages are held against, in the place of comparing them. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*looks.test.ts'],
    env: { UPDATE_BASELINES: '1' },
    pool: 'forks',
    globalSetup: 'test/support/temporary-files.ts',
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
