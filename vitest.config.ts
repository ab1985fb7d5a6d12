import { availableParallelism } from 'node:os'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { ALIASES } from './test/support/packages.ts'
import { findProgram } from './test/support/programs.ts'
import { threadBundles } from './test/support/thread-bundles.ts'
import { programOf, TEST_FOLDERS, TIERS, type Tier } from './test/support/tiers.ts'
import { TotalsReporter } from './test/support/totals-reporter.ts'

/** Files that replace modules, load them again or emit signals in their own process: other files must not see that. */
const OWN_PROCESS = [
  'test/cli/sites/run-over-sites.test.ts',
  'test/demo/private-database/directory-lock-race.test.ts',
  'test/build/publishing/several-processes.process.test.ts',
]

const project = (
  name: string,
  include: string[],
  exclude: string[],
  isolate: boolean,
): TestProjectInlineConfiguration => ({
  plugins: [threadBundles],
  resolve: { alias: ALIASES },
  test: {
    name,
    include,
    exclude: ['**/node_modules/**', ...exclude],
    isolate,
    setupFiles: ['test/support/property-seed.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})

/** The files of a tier. They share the modules of their worker: loading the service takes longer than most tests. */
function projectsOf(tier: Tier): TestProjectInlineConfiguration[] {
  const program = programOf(tier)
  if (program !== undefined && findProgram(program) === undefined) return []
  const { suffix } = TIERS[tier]
  const isOfTier = (file: string) => /^[^.]+((?:\.\w+)*)\.test\.ts$/.exec(file)?.[1] === suffix
  const apart = OWN_PROCESS.filter(isOfTier)
  const others = suffix === '' ? TEST_FOLDERS.map((folder) => `${folder}/**/*.*.test.ts`) : []
  return [
    project(
      tier,
      TEST_FOLDERS.map((folder) => `${folder}/**/*${suffix}.test.ts`),
      [...others, ...apart],
      false,
    ),
    ...(apart.length > 0 ? [project(`${tier} apart`, apart, [], true)] : []),
  ]
}

export default defineConfig({
  test: {
    globalSetup: ['test/support/thread-bundles.ts', 'test/support/global-setup.ts'],
    reporters: ['default', new TotalsReporter()],
    // Much of a test is waiting for the database.
    maxWorkers: availableParallelism() + 1,
    projects: (Object.keys(TIERS) as Tier[]).flatMap(projectsOf),
  },
})
