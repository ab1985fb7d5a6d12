import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describeMachine } from '../../report/describe-run.ts'
import { replaceSection } from '../../report/replace-section.ts'
import type { PassResults } from '../passes.ts'
import { freshnessTable } from './freshness-table.ts'

const DOCS = resolve(import.meta.dirname, '../../../../docs/freshness.md')
const RESULTS = resolve(import.meta.dirname, '../results.json')

/** The results of the passes of former runs. */
export function readStoredResults(): PassResults[] {
  return existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : []
}

/**
 * Stores the results, and replaces the text between the two markers of docs/freshness.md with the tables.
 * @throws Error if a marker is missing
 */
export function writeFreshness(results: readonly PassResults[]): void {
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 1)}\n`)
  const [first] = results
  const { machine } = describeMachine()
  const sentence = `${first?.date}, ${first?.sites} sites, one with ${first?.pages} pages; ${machine.cores} cores of ${machine.processor}, shared by the service, the database (table_open_cache 20,000, buffer pool 1 GB) and the benchmark. Times in milliseconds from the commit until the file is replaced.`
  replaceSection(DOCS, 'freshness', `${sentence}\n\n${freshnessTable(results)}`)
}
