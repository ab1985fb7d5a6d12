import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { TotalsReporter } from './test/support/totals-reporter.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/property-seed.ts'],
    reporters: ['default', new TotalsReporter()],
    // Much of a test is waiting for the database.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
