import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { ALIASES } from '../test/support/packages.ts'
import { threadBundles } from '../test/support/thread-bundles.ts'
import { TotalsReporter } from '../test/support/totals-reporter.ts'

export default defineConfig({
  root: resolve(import.meta.dirname, '..'),
  plugins: [threadBundles],
  resolve: { alias: ALIASES },
  test: {
    name: 'compat',
    include: ['compat/**/*.test.ts'],
    // They share the modules of their worker: loading the service takes longer than most tests.
    isolate: false,
    globalSetup: ['test/support/thread-bundles.ts', 'compat/setup/global-setup.ts'],
    setupFiles: ['test/support/property-seed.ts'],
    reporters: ['default', new TotalsReporter()],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
