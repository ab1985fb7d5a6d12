import { defineConfig } from 'vitest/config'

/** What takes seconds (sheer size, comparing with whole parsers) is left to `npm test`: it would be run a thousand times. */
const LONG = 'slow or deep|100,000|10000|whole HTML parser|loses no unit|deeper than any stack'

/**
 * The tests that mutation testing runs (`npm run mutation`), once for each change that it makes to the code. Its settings name no
 * `tsconfig.json`, for it would rewrite that with an interface which TypeScript no longer has.
 */
export default defineConfig({
  test: {
    include: [
      'test/markup/**/*.test.ts',
      'test/wordpress/serialized/**/*.test.ts',
      'test/menus/{tree,arrangement}.test.ts',
    ],
    exclude: ['test/wordpress/serialized/php-judge.test.ts'],
    testNamePattern: new RegExp(`^(?!.*(?:${LONG}))`),
    env: { SERIALIZED_RUNS: '40' },
    testTimeout: 60_000,
  },
})
