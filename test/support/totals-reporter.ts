import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'
import { findProgram, missingProgram } from './programs.ts'
import { programOf, TEST_FOLDERS, TIERS, type Tier, tierOf } from './tiers.ts'

type Reason = { message: string; stack?: string; diff?: string }

const MAX_LINES_PER_FAILURE = 60
/** A test of the first tier that takes longer belongs to another one, in milliseconds. */
const MAX_FAST_MS = 1000
/** What a test of the first tier takes on the average on a machine with two cores that does nothing else, in milliseconds. */
const MEAN_FAST_MS = 45

/**
 * Ends a run with its totals alone on a line, for machines: `128 passed, 0 failed`. Before them it prints each failure as a block
 * that begins with `FAILED` and ends with an empty line, so that a run of several suites can repeat the blocks at its end, and names
 * each test that was skipped. With `CI=true` a skipped test counts as failed: the machine lacks a program that the suite needs.
 *
 * SLOW_TESTS is a file that gets the tests of the first tier that took over a second: a line for each, its file and its name with a tab between. If the
 * file is there before the run, only tests that it names stay in it: those that were slow each time. What a second is on this machine follows from the
 * average of all tests of the run: a busy machine makes no test slow. `SLOW_TESTS.limit` gets it, in milliseconds, for a later run of these files alone,
 * which gets it back as SLOW_LIMIT_MS.
 */
export class TotalsReporter implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly Reason[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0, pending: 0 }
    const failSkipped = process.env.CI === 'true'
    const skip = (name: string) => {
      counts.skipped += 1
      if (!failSkipped) {
        process.stdout.write(`skipped: ${name}\n`)
        return
      }
      counts.failed += 1
      process.exitCode = 1
      printFailure(name, [{ message: 'skipped; with CI=true every test has to run' }])
    }
    for (const name of this.#tiersWithoutProgram()) skip(name)
    const fast: FastTest[] = []
    for (const error of errors) printFailure('outside the tests', [error])
    for (const module of modules) {
      // A file that could not be loaded or set up has run no tests, which must not look like success.
      counts.failed += module.errors().length
      if (module.errors().length > 0) printFailure(module.relativeModuleId, module.errors())
      for (const suite of module.children.allSuites()) {
        counts.failed += suite.errors().length
        if (suite.errors().length > 0) printFailure(nameOf(suite), suite.errors())
      }
      for (const test of module.children.allTests()) {
        const { state, errors: reasons } = test.result()
        if (state === 'skipped' || state === 'pending') {
          skip(nameOf(test))
          continue
        }
        counts[state] += 1
        if (state === 'failed') printFailure(nameOf(test), reasons ?? [])
        const { duration = 0 } = test.diagnostic() ?? {}
        if (tierOf(module.relativeModuleId) !== 'fast') continue
        fast.push({ file: module.relativeModuleId, name: nameOf(test), ms: duration })
      }
    }
    reportSlow(fast)
    const { passed, failed, skipped } = counts
    process.stdout.write(
      `\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
    )
  }

  /** The tiers of this run whose files were left out, because the machine lacks their program. */
  #tiersWithoutProgram(): string[] {
    const chosen = this.#vitest?.config.project ?? []
    const files = TEST_FOLDERS.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }),
    ).filter((file) => !file.includes('node_modules/'))
    return (Object.keys(TIERS) as Tier[]).flatMap((tier) => {
      const program = programOf(tier)
      if (program === undefined || findProgram(program) !== undefined) return []
      if (chosen.length > 0 && !chosen.includes(tier)) return []
      const count = files.filter((file) => file.endsWith(`${TIERS[tier].suffix}.test.ts`)).length
      return `${count} files of the tier ${tier} (${missingProgram(program)})`
    })
  }
}

/** A test of the first tier that has run. */
type FastTest = { readonly file: string; readonly name: string; readonly ms: number }

/** What a second of the first tier is on this machine, in milliseconds: SLOW_LIMIT_MS, or by the average of the tests. */
function limitOf(fast: readonly FastTest[]): number {
  const { SLOW_LIMIT_MS: given } = process.env
  if (given !== undefined) return Number(given)
  const mean = fast.reduce((sum, { ms }) => sum + ms, 0) / Math.max(1, fast.length)
  return Math.round(MAX_FAST_MS * Math.max(1, mean / MEAN_FAST_MS))
}

/** Names the slow tests of the first tier. */
function reportSlow(fast: readonly FastTest[]): void {
  const { SLOW_TESTS: target } = process.env
  const limit = limitOf(fast)
  const slow = fast.filter(({ ms }) => ms > limit)
  for (const { name, ms } of slow)
    process.stdout.write(`slow: ${(ms / 1000).toFixed(1)} s: ${name}\n`)
  if (target === undefined) return
  const before = existsSync(target) ? readFileSync(target, 'utf8').split('\n') : undefined
  const lines = slow.map(({ file, name }) => `${file}\t${name}`)
  const still = before === undefined ? lines : lines.filter((line) => before.includes(line))
  writeFileSync(target, still.map((line) => `${line}\n`).join(''))
  writeFileSync(`${target}.limit`, String(limit))
}

const nameOf = (task: Pick<TestCase, 'fullName' | 'module'>): string =>
  `${task.module.relativeModuleId} > ${task.fullName}`

function printFailure(what: string, reasons: readonly Reason[]): void {
  const lines = reasons
    .flatMap(({ message, stack, diff }) => [stack ?? message, diff ?? ''])
    .flatMap((text) => stripVTControlCharacters(text).split('\n'))
    .filter((line) => line.trim() !== '' && !/^ +at .*(node_modules|node:)/.test(line))
    .slice(0, MAX_LINES_PER_FAILURE)
  process.stdout.write(`\nFAILED ${what}\n${lines.map((line) => `  ${line}\n`).join('')}\n`)
}
