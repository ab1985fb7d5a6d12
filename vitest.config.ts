import { defineConfig } from 'vitest/config'
import { TotalsReporter } from './test/support/totals-reporter.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', new TotalsReporter()],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
