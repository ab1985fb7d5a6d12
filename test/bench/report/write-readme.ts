import { resolve } from 'node:path'
import type { Result } from '../run-bench.ts'
import type { RunDescription } from './describe-run.ts'
import { replaceSection } from './replace-section.ts'
import { resultTable } from './result-table.ts'
import type { Verdict } from './verdicts.ts'

const FILE = resolve(import.meta.dirname, '../../../docs/performance.md')

/**
 * Replaces the table of the contenders in docs/performance.md, or the one with a remote database.
 * @throws Error if a marker is missing
 */
export function writeReadme(
  run: RunDescription,
  results: readonly Result[],
  verdicts: readonly Verdict[],
): void {
  const { machine, versions, date, secondsEach, fpmWorkers, remoteDelayMs } = run
  const met = verdicts.filter((verdict) => verdict.met).length
  const sentences = [
    `${date}, ${machine.cores} cores of ${machine.processor}, ${machine.memoryGigabytes} GB, shared by all contenders and the load generator;`,
    `${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')};`,
    ...(remoteDelayMs === undefined
      ? []
      : [`${remoteDelayMs} ms each way between the contenders and the database;`]),
    `${fpmWorkers} php-fpm workers; ${secondsEach} seconds per measurement. ${met} of ${verdicts.length} targets met.`,
  ]
  const section = remoteDelayMs === undefined ? 'bench' : 'remote'
  replaceSection(FILE, section, `${sentences.join(' ')}\n\n${resultTable(results)}`)
}
