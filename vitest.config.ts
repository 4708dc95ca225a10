import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // These need a browser: npm run test:browser.
    exclude: ['test/browser/**'],
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A condition is waited for: on a busy machine it comes late, and that is no failure.
    expect: { poll: { timeout: 30_000 } },
    coverage: { provider: 'v8', include: ['src/**', 'projections/**'] },
  },
});
