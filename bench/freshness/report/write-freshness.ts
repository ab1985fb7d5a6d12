import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describeMachine } from '../../report/describe-run.ts'
import type { PassResults } from '../passes.ts'
import { freshnessTable } from './freshness-table.ts'

const DOCS = resolve(import.meta.dirname, '../../../docs/freshness.md')
const RESULTS = resolve(import.meta.dirname, '../results.json')
const [BEGIN, END] = ['<!-- freshness -->', '<!-- /freshness -->']

/** The results of the passes of former runs. */
export function readStoredResults(): PassResults[] {
  return existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : []
}

/**
 * Stores the results, and replaces the text between the two markers of docs/freshness.md with the tables.
 * @throws Error if a marker is missing
 */
export function writeFreshness(results: readonly PassResults[]): void {
  const text = readFileSync(DOCS, 'utf8')
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (begin < 0 || end < begin)
    throw new Error(`docs/freshness.md must contain ${BEGIN} followed by ${END}.`)
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 1)}\n`)
  const [first] = results
  const { machine } = describeMachine()
  const sentence = `${first?.date}, ${first?.sites} sites, one with ${first?.pages} pages; ${machine.cores} cores of ${machine.processor}, shared by the service, the database (table_open_cache 20,000, buffer pool 1 GB) and the benchmark. Times in milliseconds from the commit until the file is replaced.`
  const between = `\n${sentence}\n\n${freshnessTable(results)}\n`
  writeFileSync(DOCS, text.slice(0, begin + BEGIN.length) + between + text.slice(end))
}
