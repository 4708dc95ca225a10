import { configDefaults, defineConfig } from 'vitest/config';

import { SERVICE_TESTS } from './test/support/services/files.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // They need a browser (npm run test:browser), a service (npm run test:services) or a container engine (npm run
    // test:image, test:compose).
    exclude: [
      ...configDefaults.exclude,
      'test/browser/**',
      'test/image/**',
      'test/compose/**',
      SERVICE_TESTS,
    ],
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A condition is waited for: on a busy machine it comes late, and that is no failure.
    expect: { poll: { timeout: 30_000 } },
    coverage: { provider: 'v8', include: ['src/**', 'projections/**'] },
  },
});
