import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { TotalsReporter } from '../test/support/totals-reporter.ts'

/** The tests, and then WordPress beside us, in one run that ends with the totals of both. */
export default defineConfig({
  root: resolve(import.meta.dirname, '..'),
  test: {
    projects: ['vitest.config.ts', 'compat/vitest.config.ts'],
    reporters: ['default', new TotalsReporter()],
  },
})
