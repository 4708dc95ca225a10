import { defineConfig } from 'vitest/config';

import { environmentOf, LONG_TESTS } from './test/support/sizes.ts';

/** Laws, simulator, models, fuzzers and crashes at their long sizes: `npm run test:long`. */
export default defineConfig({
  test: {
    include: LONG_TESTS,
    pool: 'forks',
    // As in vitest.config.ts: Node loads the modules itself, those that are named by a variable too.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    globalSetup: 'test/support/temporary-files.ts',
    maxWorkers: '100%',
    env: environmentOf('long'),
    setupFiles: ['test/support/seed.ts'],
    testTimeout: 3_600_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
