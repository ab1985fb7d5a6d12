import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Undo } from '../setup/undo.ts'
import { createNetwork } from './network/create-network.ts'
import { PASS_PARTS, type PassName, type PassResults } from './passes.ts'
import { startReport } from './progress.ts'
import { freshnessTable } from './report/freshness-table.ts'
import { freshnessVerdicts } from './report/freshness-verdicts.ts'
import { readStoredResults, writeFreshness } from './report/write-freshness.ts'
import { type PassSize, runPass } from './run-pass.ts'

/** The options of the measurement of freshness. */
export type FreshnessOptions = PassSize & {
  readonly passes: readonly PassName[]
  /** The folder of the network, which stays for the next run [a temporary one]. */
  readonly folder?: string
  /** Store the results of each pass, and write the table into docs/freshness.md. */
  readonly isWritten: boolean
}

/**
 * Measures how soon static copies show edits that bypass the service, in a network of many sites. The results of a pass are stored when it
 * ends, so an interrupted run continues with the other passes.
 */
export async function runFreshness(options: FreshnessOptions, undo: Undo): Promise<void> {
  const { passes, parts, isWritten } = options
  if (isWritten && parts.length < PASS_PARTS.length)
    throw new Error('--write stores the results of whole passes. Leave out --parts.')
  const report = startReport()
  const folder = options.folder
    ? resolve(options.folder)
    : mkdtempSync(join(tmpdir(), 'wp-frames-freshness-'))
  if (options.folder === undefined) undo.add(() => rmSync(folder, { recursive: true, force: true }))
  const plan = await createNetwork(folder, options, undo, report)
  const results = new Map<PassName, PassResults>(
    isWritten ? readStoredResults().map((stored) => [stored.pass, stored]) : [],
  )
  for (const pass of passes) {
    try {
      results.set(pass, await runPass(folder, plan, pass, { size: options, undo, report }))
      if (isWritten) writeFreshness([...results.values()])
    } catch (error) {
      report(`the pass has ended: ${error instanceof Error ? error.message : error}`)
      process.exitCode = 1
    }
  }
  const shown = [...results.values()]
  if (shown.length === 0) return
  console.log(`\n${freshnessTable(shown)}\n`)
  for (const { sentence } of freshnessVerdicts(shown)) console.log(sentence)
}
