import { defineConfig } from 'vitest/config'

/** What takes seconds (sheer size, comparing with whole parsers) is left to `npm test`: it would be run a thousand times. */
const LONG =
  'slow or deep|100,000|whole HTML parser|loses no unit|deeper than any stack|2 MB|beyond the markup limit|25 frames a call'

const UNITS = {
  include: [
    'test/markup/**/*.test.ts',
    'test/wordpress/serialized/**/*.test.ts',
    'test/menus/{item-tree,item-hierarchy}.test.ts',
  ],
  exclude: ['test/wordpress/serialized/php-judge.test.ts'],
  env: { SERIALIZED_RUNS: '40' },
}

/** Tests that need a database; all in one process, for to load the service takes longer than most of them. */
const TABLES = {
  include: [
    'test/frames/**/*.test.ts',
    'test/api/frames/*.test.ts',
    'test/api/conditional-frames.test.ts',
    'test/executor/rebake.test.ts',
    'test/doctor/checks/check-frames.test.ts',
  ],
  exclude: ['test/frames/{interrupted-write,concurrent-frame-writers}.test.ts'],
  globalSetup: ['test/support/global-setup.ts'],
  isolate: false,
}

/**
 * The tests that mutation testing runs (`npm run mutation`), once for each change that it makes to the code. Its settings name no
 * `tsconfig.json`, for it would rewrite that with an interface which TypeScript no longer has.
 */
export default defineConfig({
  test: {
    ...(process.env.MUTATION_TESTS === 'tables' ? TABLES : UNITS),
    testNamePattern: new RegExp(`^(?!.*(?:${LONG}))`),
    testTimeout: 60_000,
  },
})
