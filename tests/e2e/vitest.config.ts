/** End-to-end tests: one file after the other, because windows share the display and the processors. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/e2e/**/*.test.ts'],
    globalSetup: ['tests/support/run-folder.ts'],
    setupFiles: ['tests/support/file-folder.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A loaded machine takes seconds for what is usually there at once.
    expect: { poll: { timeout: 20_000, interval: 100 } },
    retry: 0,
  },
});
