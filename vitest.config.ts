import { configDefaults, defineConfig } from 'vitest/config';

import { SERVICE_TESTS } from './test/support/services/files.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // These need a browser, and services: npm run test:browser, npm run test:services.
    exclude: [...configDefaults.exclude, 'test/browser/**', SERVICE_TESTS],
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    coverage: { provider: 'v8', include: ['src/**', 'projections/**'] },
  },
});
