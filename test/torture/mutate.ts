import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')
const STRYKER = 'test/torture/mutation/node_modules/.bin/stryker'
const SETTINGS = 'test/torture/mutation/stryker.config.json'
const REPORT = resolve(ROOT, '.data/mutation/report.json')

/** Which sources are mutated, and with which tests of `vitest.config.ts`. */
const RUNS = [
  {
    tests: 'units',
    parts: ['src/content/markup', 'packages/php-serialized/src', 'src/content/menus/item-tree.ts'],
  },
  { tests: 'frames', parts: ['src/content/frames'] },
  {
    tests: 'writes',
    parts: [
      'src/build/publishing/publish-copies.ts',
      'src/content/work/complete-work.ts',
      'src/build/executor/build-site.ts',
      'src/network/plan',
    ],
  },
]
/** The tests of these print many pages: they take too long to run once for each mutant. */
const EXCLUDED = ['!src/content/markup/evaluation/**', '!src/content/markup/menus/**']
/** Percentage of the mutants that the tests must detect. */
const GOAL = 85

type Report = { readonly files: Readonly<Record<string, { mutants: { status: string }[] }>> }

/** Files or patterns to mutate [all]. */
const chosen = process.argv.slice(2)
const totals: { part: string; noticed: number; made: number }[] = []
for (const { tests, parts } of RUNS) {
  const all = parts.map((part) => (part.endsWith('.ts') ? part : `${part}/**/*.ts`))
  const mutate =
    chosen.length === 0
      ? [...all, ...EXCLUDED]
      : chosen.filter((file) => parts.some((part) => file.startsWith(part)))
  if (mutate.length === 0) continue
  rmSync(REPORT, { force: true })
  spawnSync(STRYKER, ['run', SETTINGS, '--mutate', mutate.join(',')], {
    cwd: ROOT,
    env: { ...process.env, MUTATION_TESTS: tests },
    stdio: 'inherit',
  })
  const { files }: Report = existsSync(REPORT)
    ? JSON.parse(readFileSync(REPORT, 'utf8'))
    : { files: {} }
  for (const part of parts) totals.push({ part, ...countIn(part, files) })
}
for (const { part, noticed, made } of totals) {
  const share = made === 0 ? 'none made' : `${((noticed / made) * 100).toFixed(1)} %`
  process.stdout.write(`${part}: ${share}, ${noticed} of ${made} mutants detected\n`)
}
process.exitCode = totals.some(({ noticed, made }) => noticed * 100 < made * GOAL) ? 1 : 0

/** Mutants whose code does not load do not count. */
function countIn(part: string, files: Report['files']): { noticed: number; made: number } {
  const statuses = Object.entries(files)
    .filter(([file]) => file.startsWith(part))
    .flatMap(([, { mutants }]) => mutants.map(({ status }) => status))
  const count = (...wanted: string[]) => statuses.filter((status) => wanted.includes(status)).length
  const noticed = count('Killed', 'Timeout')
  return { noticed, made: noticed + count('Survived', 'NoCoverage') }
}
