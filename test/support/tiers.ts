import type { Program } from './programs.ts'

/**
 * What a test file may need beside the database. Its name says it: `header.test.ts` is of the first tier, `header.process.test.ts` of the second.
 * `npm test` runs the first tier, `npm run test:all` all but the last.
 */
export const TIERS = {
  /** Nothing: it starts no process, no browser and no second server. */
  fast: { suffix: '' },
  /** Seconds: laws with many cases, and limits of real time. */
  long: { suffix: '.long' },
  /** Processes of its own, or other servers. A test names the program that a machine may lack with `describeWith`. */
  process: { suffix: '.process' },
  /** The S3 server that `.ci/fetch-s3` unpacks. */
  store: { suffix: '.store', needs: 'python' },
  /** A browser. */
  browser: { suffix: '.browser', needs: 'chromium' },
  /** The built documentation, or packages that only it needs. */
  docs: { suffix: '.docs' },
  /** More time than a change may take. */
  nightly: { suffix: '.nightly' },
} as const satisfies Record<string, { readonly suffix: string; readonly needs?: Program }>

export type Tier = keyof typeof TIERS

/** Where the test files are, from the root of the project. */
export const TEST_FOLDERS = [
  'test',
  'packages/client/test',
  'packages/console/test',
  'packages/migration/test',
  'packages/php-serialized/test',
  'packages/store-s3/test',
] as const

/** The tier of a test file; undefined if its name has an unknown suffix. */
export function tierOf(file: string): Tier | undefined {
  const [, suffix = ''] = /^[^.]+((?:\.[^.]+)*)\.test\.ts$/.exec(file.replace(/^.*\//, '')) ?? []
  return (Object.keys(TIERS) as Tier[]).find((tier) => TIERS[tier].suffix === suffix)
}

/** The program that all files of a tier need. */
export function programOf(tier: Tier): Program | undefined {
  const found = TIERS[tier]
  return 'needs' in found ? found.needs : undefined
}
