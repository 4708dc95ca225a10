import { defineConfig } from 'vitest/config';

/** The image and docker-compose.yml, run: `npm run test:image`, `npm run test:compose`. They need a container engine. */
export default defineConfig({
  test: {
    include: ['test/image/*.test.ts', 'test/compose/*.test.ts'],
    pool: 'forks',
    globalSetup: 'test/support/temporary-files.ts',
    fileParallelism: false,
    // What comes up first is what the rest is asked of.
    bail: 1,
    testTimeout: 300_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 120_000, interval: 500 } },
  },
});
