import { defineConfig } from 'vitest/config';

import { SERVICE_TESTS } from './test/support/services/files.ts';

/** The tests of the adapters whose stores are services of their own: `npm run test:services`. */
export default defineConfig({
  test: {
    include: [SERVICE_TESTS],
    globalSetup: ['test/services/global-setup.ts'],
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
