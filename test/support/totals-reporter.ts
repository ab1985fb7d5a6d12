import type { Reporter, TestModule } from 'vitest/node'

/** Ends a run with its totals alone on a line, for machines: `128 passed, 0 failed`. */
export class TotalsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0, pending: 0 }
    for (const module of modules) {
      // A file that could not be loaded has run no test and must not look like success.
      counts.failed += module.errors().length
      for (const test of module.children.allTests()) counts[test.result().state] += 1
    }
    const skipped = counts.skipped + counts.pending
    process.stdout.write(
      `\n${counts.passed} passed, ${counts.failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
    )
  }
}
