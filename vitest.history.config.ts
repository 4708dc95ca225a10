import { defineConfig } from 'vitest/config';

import { environmentOf, HISTORY_TESTS } from './test/support/sizes.ts';

/** Releases, rebuilds, replays, archives and backups, by real processes that follow the guides: `npm run test:history`. */
export default defineConfig({
  test: {
    include: HISTORY_TESTS,
    pool: 'forks',
    globalSetup: 'test/support/temporary-files.ts',
    maxWorkers: '100%',
    env: environmentOf('usual'),
    setupFiles: ['test/support/seed.ts'],
    testTimeout: 600_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
