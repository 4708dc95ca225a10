import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { configDefaults, defineConfig } from 'vitest/config';

import { LongestFirst } from './test/support/longest-first.ts';
import { SERVICE_TESTS } from './test/support/services/files.ts';
import { environmentOf, SLOW_TESTS } from './test/support/sizes.ts';

// For the threads of stores that tests start by the hundred: stripping the types of their sources is most of their cost.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/test');

/** They replace modules for everything in their process, which vitest's own loader of modules does. */
const MOCKING = ['test/unit/api/http/limits.test.ts', 'test/unit/compose/projector-thread/start.test.ts'];

export default defineConfig({
  test: {
    pool: 'forks',
    globalSetup: 'test/support/temporary-files.ts',
    // One more than there are processors: real processes are waited for, and leave them to others meanwhile.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    env: environmentOf('usual'),
    setupFiles: ['test/support/seed.ts'],
    // For what hangs. A busy machine is several times slower than a quiet one, and that is no failure.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // A condition is waited for: on a busy machine it comes late, and that is no failure.
    expect: { poll: { timeout: 30_000 } },
    coverage: { provider: 'v8', include: ['src/**', 'projections/**'] },
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          // A process runs many files and loads the sources once: that was a third of what all tests took.
          isolate: false,
          // Node loads the modules itself, as it does when they run: nothing is transformed, and no import is a getter.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          include: ['test/**/*.test.ts'],
          // They need a browser (npm run test:browser), a service (npm run test:services), DuckDB (npm run test:sql) or a
          // container engine (npm run test:image, test:compose).
          exclude: [
            ...configDefaults.exclude,
            'test/browser/**',
            'test/sql/**',
            // npm run test:slow
            ...SLOW_TESTS,
            'test/image/**',
            'test/compose/**',
            SERVICE_TESTS,
            ...MOCKING,
          ],
        },
      },
      { extends: true, test: { name: 'mocking', include: MOCKING } },
    ],
  },
});
