import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Result } from '../run-bench.ts'
import type { RunDescription } from './describe-run.ts'
import { resultTable } from './result-table.ts'
import type { Verdict } from './verdicts.ts'

const FILE = resolve(import.meta.dirname, '../../docs/performance.md')
const [BEGIN, END] = ['<!-- bench -->', '<!-- /bench -->']

/**
 * Replaces the text between the two markers of docs/performance.md with the table.
 * @throws Error if a marker is missing
 */
export function writeReadme(
  run: RunDescription,
  results: readonly Result[],
  verdicts: readonly Verdict[],
): void {
  const text = readFileSync(FILE, 'utf8')
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (begin < 0 || end < begin)
    throw new Error(`docs/performance.md must contain ${BEGIN} followed by ${END}.`)
  const { machine, versions, date, secondsEach, fpmWorkers } = run
  const met = verdicts.filter((verdict) => verdict.met).length
  const sentences = [
    `${date}, ${machine.cores} cores of ${machine.processor}, ${machine.memoryGigabytes} GB, shared by all contenders and the load generator;`,
    `${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')};`,
    `${fpmWorkers} php-fpm workers; ${secondsEach} seconds per measurement. ${met} of ${verdicts.length} targets met.`,
  ]
  const between = `\n${sentences.join(' ')}\n\n${resultTable(results)}\n`
  writeFileSync(FILE, text.slice(0, begin + BEGIN.length) + between + text.slice(end))
}
