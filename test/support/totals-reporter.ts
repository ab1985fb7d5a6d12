import { stripVTControlCharacters } from 'node:util'
import type { Reporter, TestCase, TestModule } from 'vitest/node'

type Reason = { message: string; stack?: string; diff?: string }

const MAX_LINES_PER_FAILURE = 60

/**
 * Ends a run with its totals alone on a line, for machines: `128 passed, 0 failed`. Before them it prints each failure as a block
 * that begins with `FAILED` and ends with an empty line, so that a run of several suites can repeat the blocks at its end.
 * With `CI=true` a skipped test counts as failed: the machine lacks a program that the suite needs.
 */
export class TotalsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly Reason[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0, pending: 0 }
    const failSkipped = process.env.CI === 'true'
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
        if (failSkipped && (state === 'skipped' || state === 'pending')) {
          counts.failed += 1
          process.exitCode = 1
          printFailure(nameOf(test), [{ message: 'skipped; with CI=true every test has to run' }])
          continue
        }
        counts[state] += 1
        if (state === 'failed') printFailure(nameOf(test), reasons ?? [])
      }
    }
    const skipped = counts.skipped + counts.pending
    process.stdout.write(
      `\n${counts.passed} passed, ${counts.failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
    )
  }
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
