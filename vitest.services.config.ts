import { defineConfig } from 'vitest/config';

import { SERVICE_TESTS } from './test/support/services/files.ts';
import { environmentOf } from './test/support/sizes.ts';

/** The tests of the adapters whose stores are services of their own: `npm run test:services`. */
export default defineConfig({
  test: {
    include: [SERVICE_TESTS],
    globalSetup: ['test/support/temporary-files.ts', 'test/services/global-setup.ts'],
    pool: 'forks',
    // As in vitest.config.ts: Node loads the modules itself, those that are named by a variable too.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    env: { ...environmentOf('usual'), HOSTILE_QUERIES: environmentOf('long')['HOSTILE_QUERIES'] },
    setupFiles: ['test/support/seed.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A condition is waited for: on a busy machine it comes late, and that is no failure.
    expect: { poll: { timeout: 60_000 } },
  },
});
