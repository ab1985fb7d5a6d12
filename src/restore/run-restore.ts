import type { Database, Db } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import type { AppError } from '../errors.ts'
import type { MarkupAnalyzer } from '../frames/frame-markup.ts'
import type { Thing } from '../history/history-row.ts'
import { type MenuWriter, readWriteContext } from '../menus/write-context.ts'
import type { Precondition } from '../preconditions.ts'
import { gmtText } from '../wordpress/dates.ts'
import type { Site } from '../wordpress/network/site.ts'
import { type RecordedChange, writeChange } from '../work/record-work.ts'
import { assertUnchanged } from './changed-since.ts'
import { chooseTargets, type RestoreScope } from './choose-targets.ts'
import { restoreTargets } from './restore-site.ts'
import type { RestoredPart } from './restored-thing.ts'

export type RestoreRequest = {
  readonly scope: RestoreScope
  readonly dryRun: boolean
  readonly bake: boolean
  readonly precondition?: Precondition | undefined
  /** Only of what a request or a token has written: refuses to overwrite what was written since [false]. */
  readonly ifUnchanged?: boolean
  /** Runs before anything is written, also in a dry run. @throws AppError if the writer may not restore these things */
  readonly onChosen?: (things: readonly Thing[]) => void
  /** Runs in the transaction after the writes, for example to record that they are done. Not in a dry run. */
  readonly onRestored?: (tx: Tx, part: RestoredPart) => Promise<void>
}

export type RestoreWriter = MenuWriter & {
  /** The error of a restore that writes markup, if the writer may not. */
  readonly markupRefusal?: AppError | undefined
  readonly analyzer: MarkupAnalyzer
  readonly maxSiteBytes: number | undefined
  readonly now: () => Date
}

/**
 * Restores what a scope names, in one transaction. A dry run is rolled back; its result is that of the restore.
 * @throws AppError `unfiltered_html_required`, and those of `chooseTargets` and `restoreTargets`; ChangedSince
 */
export async function runRestore(
  db: Database,
  site: Site,
  request: RestoreRequest,
  writer: RestoreWriter,
): Promise<RestoredPart & { readonly change: RecordedChange }> {
  const { scope, dryRun, bake, precondition, ifUnchanged, onChosen, onRestored } = request
  const { now, userId, analyzer, maxSiteBytes } = writer
  const chosen = await chooseTargets(db, site, scope)
  onChosen?.([...chosen.targets.map(({ thing }) => thing), ...chosen.unknown])
  return writeChange(db, { site, dryRun }, async (tx) => {
    const limits = { analyzer, maxSiteBytes, precondition, isWhole: 'moment' in scope }
    const readMenuContext = (db: Db) => readWriteContext(db, site, writer, now)
    const context = { readMenuContext, userId, now: gmtText(now()), ...limits }
    const { work, ...part } = await restoreTargets(tx, site, chosen, context)
    if (ifUnchanged) await assertUnchanged(tx, site, chosen.targets)
    const isMarkup = part.restored.some(({ kind, after }) => kind === 'frame' && after)
    if (isMarkup && writer.markupRefusal) throw writer.markupRefusal
    if (!dryRun) await onRestored?.(tx, part)
    return { ...part, change: { bake, work } }
  })
}
