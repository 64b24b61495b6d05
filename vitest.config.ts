import { availableParallelism, freemem } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'

/** A worker with its servers and its browser. */
const WORKER_BYTES = 1.5 * 2 ** 30

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/templates.ts'],
    setupFiles: ['test/support/seed.ts'],
    // A machine of CI is shared: what fails there is tried once more, and the report says so. What fails twice has failed.
    retry: process.env.CI ? 1 : 0,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // What a page or a job shows in the end takes as long as the machine needs.
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    // Files of a worker share the modules that they load; a file leaves nothing behind that another would see.
    isolate: false,
    // Two more than cores: a worker waits half of its time, for servers, browsers, PostgreSQL, and what takes its time on purpose.
    maxWorkers: Math.max(1, Math.min(availableParallelism() + 2, Math.floor(freemem() / WORKER_BYTES))),
    sequence: { sequencer: LongestFirst },
  },
})
