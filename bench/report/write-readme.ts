import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Result } from '../run-bench.ts'
import type { RunDescription } from './describe-run.ts'
import { resultTable } from './result-table.ts'
import type { Verdict } from './verdicts.ts'

const FILE = resolve(import.meta.dirname, '../../README.md')
const [BEGIN, END] = ['<!-- bench -->', '<!-- /bench -->']

/**
 * Puts the table between the two markers of the README.
 * @throws Error where they are not there
 */
export function writeReadme(
  run: RunDescription,
  results: readonly Result[],
  verdicts: readonly Verdict[],
): void {
  const text = readFileSync(FILE, 'utf8')
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (begin < 0 || end < begin) throw new Error(`README.md has no ${BEGIN} with ${END} after it.`)
  const { machine, versions, date, secondsEach, fpmWorkers } = run
  const met = verdicts.filter((verdict) => verdict.met).length
  const words = [
    `${date}, ${machine.cores} cores of ${machine.processor}, ${machine.memoryGigabytes} GB, shared by all and by the sender;`,
    `${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')};`,
    `${fpmWorkers} workers of php-fpm; ${secondsEach} s each. ${met} of ${verdicts.length} targets met.`,
  ]
  const between = `\n${words.join(' ')}\n\n${resultTable(results)}\n`
  writeFileSync(FILE, text.slice(0, begin + BEGIN.length) + between + text.slice(end))
}
