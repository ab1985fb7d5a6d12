import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { PublicationFigures } from '../publication/run-publication.ts'
import type { Result } from '../run-bench.ts'
import type { RunDescription } from './describe-run.ts'
import { growths } from './growth.ts'
import { ratioTo, type Verdict } from './verdicts.ts'

/** The file of the last whole run. */
export const RESULTS_FILE = resolve(import.meta.dirname, '../results.json')
/** The file of the last whole run with a remote database. */
export const REMOTE_RESULTS_FILE = resolve(import.meta.dirname, '../results-remote.json')

/** Writes all measurements to a file, which `readResults` reads. */
export function writeResults(
  file: string,
  run: RunDescription,
  results: readonly Result[],
  verdicts: readonly Verdict[],
  publication: PublicationFigures | undefined,
): void {
  const text = {
    ...run,
    results: results.map((result) => ({
      name: result.workload.name,
      title: result.workload.title,
      connections: result.workload.connections,
      figures: Object.fromEntries(result.figures),
      byWordPress: ratioTo(result, 'wordpress'),
      byFloor: ratioTo(result, 'floor'),
      byExpress: ratioTo(result, 'express'),
    })),
    growth: growths(results),
    publication,
    targets: verdicts.map(({ sentence: _, ...verdict }) => verdict),
  }
  writeFileSync(file, `${JSON.stringify(text, rounded, 2)}\n`)
}

/** Rounds numbers to four significant digits. */
function rounded(_key: string, value: unknown): unknown {
  if (typeof value !== 'number' || Number.isInteger(value)) return value
  return value >= 1000 ? Math.round(value) : Number(value.toPrecision(4))
}
