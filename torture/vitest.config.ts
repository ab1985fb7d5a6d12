import { defineConfig } from 'vitest/config'

/** Tests that take seconds (large inputs, comparisons with complete parsers) run only in `npm test`: here they would run a thousand times. */
const LONG =
  'slow or deep|100,000|whole HTML parser|loses no unit|deeper than any stack|2 MB|beyond the markup limit|25 frames a call|requests for (?:menus|items)'

const UNITS = {
  include: [
    'test/markup/{*,inserts/*}.test.ts',
    'test/wordpress/serialized/**/*.test.ts',
    'test/menus/{item-tree,item-hierarchy}.test.ts',
  ],
  exclude: ['test/wordpress/serialized/php-judge.test.ts'],
  env: { SERIALIZED_RUNS: '40' },
}

/** Tests that need a database, all in one process, because loading the service takes longer than most of them. */
const TABLES = {
  include: [
    'test/frames/**/*.test.ts',
    'test/api/frames/*.test.ts',
    'test/api/conditional-frames.test.ts',
    'test/api/refusals.test.ts',
    'test/executor/rebake.test.ts',
    'test/doctor/checks/check-frames.test.ts',
  ],
  exclude: ['test/frames/{interrupted-write,concurrent-frame-writers}.test.ts'],
  globalSetup: ['test/support/global-setup.ts'],
  isolate: false,
}

/**
 * The tests of the mutation testing (`npm run mutation`), which runs them once for each mutant. Its settings name no
 * `tsconfig.json`, because it would rewrite that file with an API that TypeScript no longer has.
 */
export default defineConfig({
  test: {
    ...(process.env.MUTATION_TESTS === 'tables' ? TABLES : UNITS),
    testNamePattern: new RegExp(`^(?!.*(?:${LONG}))`),
    testTimeout: 60_000,
  },
})
