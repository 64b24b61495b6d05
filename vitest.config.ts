import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: process.env.TEST_SEED ? ['test/support/seed.ts'] : [],
    // A machine of CI is shared: what fails there is tried once more, and the report says so. What fails twice has failed.
    retry: process.env.CI ? 1 : 0,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // What a page or a job shows in the end takes as long as the machine needs.
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    maxWorkers: 2,
  },
})
