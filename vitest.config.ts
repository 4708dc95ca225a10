import { configDefaults, defineConfig } from 'vitest/config';

import { SERVICE_TESTS } from './test/support/services/files.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // They need a browser (npm run test:browser) or a service (npm run test:services).
    exclude: [...configDefaults.exclude, 'test/browser/**', SERVICE_TESTS],
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A condition is waited for: on a busy machine it comes late, and that is no failure.
    expect: { poll: { timeout: 30_000 } },
    coverage: { provider: 'v8', include: ['src/**', 'projections/**'] },
  },
});
