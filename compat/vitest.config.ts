import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { TotalsReporter } from '../test/support/totals-reporter.ts'

export default defineConfig({
  root: resolve(import.meta.dirname, '..'),
  test: {
    name: 'compat',
    include: ['compat/**/*.test.ts'],
    globalSetup: ['compat/setup/global-setup.ts'],
    setupFiles: ['test/support/property-seed.ts'],
    reporters: ['default', new TotalsReporter()],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
