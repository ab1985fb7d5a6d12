import { availableParallelism } from 'node:os'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { TotalsReporter } from './test/support/totals-reporter.ts'

/** Files that replace modules, load them again or emit signals in their own process: other files must not see that. */
const OWN_PROCESS = [
  'test/cli/sites/run-over-sites.test.ts',
  'test/demo/private-database/directory-lock-race.test.ts',
  'test/publishing/several-processes.test.ts',
]

const project = (
  name: string,
  include: string[],
  exclude: string[],
  isolate: boolean,
): TestProjectInlineConfiguration => ({
  test: {
    name,
    include,
    exclude,
    isolate,
    setupFiles: ['test/support/property-seed.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', new TotalsReporter()],
    // Much of a test is waiting for the database.
    maxWorkers: availableParallelism() + 1,
    projects: [
      // The files of a worker share their modules: loading the service takes longer than most tests.
      project('shared', ['test/**/*.test.ts'], OWN_PROCESS, false),
      project('isolated', OWN_PROCESS, [], true),
    ],
  },
})
