import { defineConfig } from 'vitest/config'
import { TotalsReporter } from '../test/support/totals-reporter.ts'

export default defineConfig({
  root: import.meta.dirname,
  test: {
    name: 'compat',
    include: ['**/*.test.ts'],
    globalSetup: ['setup/global-setup.ts'],
    reporters: ['default', new TotalsReporter()],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // After the tests, where both run.
    sequence: { groupOrder: 1 },
  },
})
