import { defineConfig } from 'vitest/config';

import { environmentOf, SLOW_TESTS } from './test/support/sizes.ts';

/** Long stories told by real processes, and the simulator: `npm run test:slow`. */
export default defineConfig({
  test: {
    include: SLOW_TESTS,
    pool: 'forks',
    // As in vitest.config.ts: Node loads the modules itself, those that are named by a variable too.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    globalSetup: 'test/support/temporary-files.ts',
    maxWorkers: '100%',
    env: environmentOf('usual'),
    setupFiles: ['test/support/seed.ts'],
    testTimeout: 600_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
