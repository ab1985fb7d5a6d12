import { defineConfig } from 'vitest/config'
import { ALIASES } from '../support/packages.ts'
import { threadBundles } from '../support/thread-bundles.ts'

/** Tests that take seconds (large inputs, comparisons with complete parsers) run only in `npm test`: here they would run a thousand times. */
const LONG =
  'slow or deep|100,000|whole HTML parser|loses no unit|deeper than any stack|2 MB|beyond the markup limit|25 frames a call|requests for (?:menus|items)'

const UNITS = {
  include: [
    'test/content/markup/{*,inserts/*}.test.ts',
    'packages/php-serialized/test/*.test.ts',
    'test/content/menus/{item-tree,item-hierarchy}.test.ts',
  ],
  exclude: ['**/*.process.test.ts'],
  env: { SERIALIZED_RUNS: '40' },
}

/** Tests that need a database, all in one process, because loading the service takes longer than most of them. */
const FRAMES = {
  include: [
    'test/content/frames/**/*.test.ts',
    'test/api/frames/*.test.ts',
    'test/api/conditional-frames.test.ts',
    'test/api/refusals.test.ts',
    'test/build/executor/rebake.test.ts',
    'test/network/doctor/checks/check-frames.test.ts',
  ],
  exclude: ['test/**/*.process.test.ts'],
  globalSetup: ['test/support/thread-bundles.ts', 'test/support/global-setup.ts'],
  isolate: false,
}

const WRITES = {
  ...FRAMES,
  include: [
    'test/build/publishing/*.test.ts',
    'test/content/work/*.test.ts',
    'test/network/plan/**/*.test.ts',
    'test/build/executor/{publish-pages,stale-copies,other-worker}.test.ts',
  ],
  exclude: ['test/**/*.{process,store}.test.ts'],
}

const SETS = { units: UNITS, frames: FRAMES, writes: WRITES }

/**
 * The tests of the mutation testing (`npm run mutation`), which runs them once for each mutant. Its settings name no
 * `tsconfig.json`, because it would rewrite that file with an API that TypeScript no longer has.
 */
export default defineConfig({
  plugins: [threadBundles],
  resolve: { alias: ALIASES },
  test: {
    ...SETS[(process.env.MUTATION_TESTS ?? 'units') as keyof typeof SETS],
    testNamePattern: new RegExp(`^(?!.*(?:${LONG}))`),
    testTimeout: 60_000,
  },
})
