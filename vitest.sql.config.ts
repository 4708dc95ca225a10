import { defineConfig } from 'vitest/config';

/** What needs DuckDB, which `npm run test:sql` installs, and Python, where the machine has it. */
export default defineConfig({
  test: {
    include: ['test/sql/**/*.test.ts'],
    pool: 'forks',
    // As in vitest.config.ts: Node loads the modules itself, those that are named by a variable too.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    globalSetup: 'test/support/temporary-files.ts',
    // Answers are the same on every machine, wherever it stands.
    env: { TZ: 'America/St_Johns' },
    testTimeout: 180_000,
    // Packages of Python are installed.
    hookTimeout: 600_000,
    // A process with threads of DuckDB ends late on a busy machine, and that is no failure.
    teardownTimeout: 60_000,
  },
});
