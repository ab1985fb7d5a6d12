import type { Db } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import type { AppError } from '../errors.ts'
import type { MarkupAnalyzer } from '../frames/frame-markup.ts'
import { recordedWrites } from '../history/record-history.ts'
import { type MenuWriter, readWriteContext } from '../menus/write-context.ts'
import type { Precondition } from '../preconditions.ts'
import { gmtText } from '../wordpress/dates.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { Change } from '../work/change.ts'
import { assertUnchanged } from './changed-since.ts'
import type { RestoreTargets } from './choose-targets.ts'
import type { Obstacle } from './obstacle.ts'
import { restoreTargets } from './restore-site.ts'
import { readWrittenStates, type WrittenState } from './written-states.ts'

export type RestoreRequest = {
  /** All things of the site are restored to a moment. */
  readonly isWhole: boolean
  readonly bake: boolean
  readonly precondition?: Precondition | undefined
  /** Only of what a request or a token has written: refuses to overwrite what was written since [false]. */
  readonly ifUnchanged?: boolean
  /** False: nobody compares the restored states, so their contents are not read [true]. */
  readonly isCompared?: boolean
}

/** What a restore has written, and what it could not restore. */
export type Restored = {
  readonly restored: readonly WrittenState[]
  readonly obstacles: readonly Obstacle[]
}

/** Contents that are kept for the differences in the answer, in characters. */
const MAX_KEPT_CHARACTERS = 8_000_000

export type RestoreWriter = MenuWriter & {
  /** The error of a restore that writes markup, if the writer may not. */
  readonly markupRefusal?: AppError | undefined
  readonly analyzer: MarkupAnalyzer
  readonly maxSiteBytes: number | undefined
  readonly now: () => Date
}

/**
 * Restores what was chosen, in a transaction.
 * @throws AppError `unfiltered_html_required`, and those of `restoreTargets`; ChangedSince
 */
export async function runRestore(
  tx: Tx,
  site: Site,
  chosen: RestoreTargets,
  { bake, precondition, ifUnchanged, isWhole, isCompared = true }: RestoreRequest,
  writer: RestoreWriter,
): Promise<Restored & { readonly change: Change }> {
  const { now, userId, analyzer, maxSiteBytes } = writer
  const limits = { analyzer, maxSiteBytes, precondition, isWhole }
  const readMenuContext = (db: Db) => readWriteContext(db, site, writer, now)
  const context = { readMenuContext, userId, now: gmtText(now()), ...limits }
  const { work, obstacles } = await restoreTargets(tx, site, chosen, context)
  if (ifUnchanged) await assertUnchanged(tx, site, chosen.targets)
  const isMarkup = recordedWrites(tx, site).some(({ kind, after }) => kind === 'frame' && after)
  if (isMarkup && writer.markupRefusal) throw writer.markupRefusal
  const restored: WrittenState[] = []
  const characters = isCompared ? MAX_KEPT_CHARACTERS : 0
  for await (const state of readWrittenStates(tx, site, characters)) restored.push(state)
  return { restored, obstacles, change: { bake, work } }
}
