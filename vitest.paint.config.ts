import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/browser/**/*.measure.ts'],
    pool: 'forks',
    testTimeout: 1_200_000,
    hookTimeout: 300_000,
  },
});
