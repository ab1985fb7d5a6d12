import { REGISTRY_OPTION, recordOption } from '../content/frames/option-names.ts'
import { lockRegistry } from '../content/frames/registry.ts'
import { forgetMetas } from '../content/frames/repair-frames.ts'
import { isWorking } from '../content/work/due-work.ts'
import { type RecordedChange, recordChange } from '../content/work/record-work.ts'
import { workOn } from '../content/work/work.ts'
import type { Database, Db } from '../db/database.ts'
import { readRow, runStatement } from '../db/sql.ts'
import type { Tx } from '../db/transaction.ts'
import { increaseNetworkVersion } from '../wordpress/hosts/network-version.ts'
import { findBlog, findSite } from '../wordpress/network/find-sites.ts'
import { type GlobalTables, type Site, siteOf } from '../wordpress/network/site.ts'
import { readOption } from '../wordpress/options/read-options.ts'
import { ALL_ROWS, type ChangedRows } from './changed-rows.ts'
import { checksumOf, type PolledState } from './checksums.ts'
import { type Edits, findEdits, hasNoEdits, storeSeen } from './find-edits.ts'
import { recordEditedThings } from './record-edited-things.ts'
import { isSiteSeen } from './seen-network.ts'
import { findOptionEdits } from './seen-options.ts'
import { arePagesSeen } from './seen-posts.ts'
import { seenTables } from './seen-tables.ts'
import { type WorkOfEdits, workOfEdits } from './work-of-edits.ts'

export type RecordEditsOptions = { readonly db: Database; readonly globals: GlobalTables }

/** The work that follows from the edits of a site. */
export type RecordedEdits = { readonly site: Site; readonly change: RecordedChange }

/** What was never seen is built as a whole. */
const FIRST: WorkOfEdits = { work: workOn('all'), frames: [], isMoved: false }

/** Comparisons of a site that another process has overtaken are repeated this often. */
const MAX_ATTEMPTS = 5

/**
 * Records the work that follows from edits of a site by other programs: WordPress, WP-CLI, plugins, scripts, the legacy PHP endpoint. It
 * compares the site's rows with what was seen last, and stores both in one transaction. Edits that were recorded before are no differences,
 * so it may be called at any time, by any process.
 * @param rows where to look [everywhere]
 * @param state of the site, read before; it is stored as seen if all rows were compared
 * @returns undefined if there are no edits
 */
export async function recordEdits(
  { db, globals }: RecordEditsOptions,
  blogId: number,
  rows: ChangedRows = ALL_ROWS,
  state?: PolledState,
): Promise<RecordedEdits | undefined> {
  const site = await findSite(db, globals, blogId)
  if (!site) return recordDeletion(db, globals, blogId)
  for (let attempt = 1; ; attempt += 1) {
    const round = await readRound(db, site)
    if (round === undefined && !(await hasFrames(db, site))) return undefined
    const found = await findEdits(db, site, round === undefined ? ALL_ROWS : rows)
    if (hasNoEdits(found) && round !== undefined && state === undefined) return undefined
    const {
      work,
      frames: foundFrames,
      isMoved,
    } = round === undefined ? FIRST : await workOfEdits(db, site, found)
    const recorded = await db.write({ site, isWork: true }, async (tx) => {
      if (!(await nextRound(tx, site, round ?? 0))) return undefined
      const { edits, frames } = await compareFramesAgain(
        tx,
        site,
        found,
        round === undefined ? 'all' : foundFrames,
      )
      if (frames.length > 0) await forgetMetas(tx, site, frames)
      if (round !== undefined) await recordEditedThings(tx, site, edits, frames)
      await storeSeen(tx, site, edits)
      const recorded = await recordChange(tx, site, { bake: true, work })
      // If others have increased the version meanwhile, the next round compares the site again.
      if (state)
        await storeState(tx, site, {
          ...state,
          version: state.version + Number(recorded.isRecorded),
        })
      if (isMoved) await increaseNetworkVersion(tx, globals)
      return recorded
    })
    if (recorded) return recorded.version === 0 ? undefined : { site, change: recorded }
    if (attempt === MAX_ATTEMPTS)
      throw new Error(`the site was compared by other processes ${attempt} times meanwhile`)
  }
}

/**
 * Records the edits that a snapshot shows of a site and of pages, and that were not seen yet. A builder asks for this before it publishes them: a
 * page that was built of an edit which is undone before the next comparison would keep it, since that finds no difference.
 * @returns whether there are any; then a later snapshot shows what was recorded
 */
export async function recordShownEdits(
  options: RecordEditsOptions,
  reads: Db,
  site: Site,
  pages: readonly number[],
): Promise<boolean> {
  const [isSiteKnown, arePagesKnown] = await Promise.all([
    isSiteSeen(reads, site),
    arePagesSeen(reads, site, pages),
  ])
  if (isSiteKnown === undefined || (isSiteKnown && arePagesKnown)) return false
  const rows = { posts: new Set(pages), options: new Set<string>(), terms: false, network: true }
  await recordEdits(options, site.blogId, rows)
  return true
}

/**
 * The comparison reads in several statements, so a write of this service between them looks like an edit. And writes do not mark what they write
 * as seen before the first comparison of the site is stored. Compares options again while the writers of frames wait.
 * @param frames those that may be edited; `all` in the first comparison
 * @returns the edits of other programs, and the frames that these have written
 */
async function compareFramesAgain(
  tx: Tx,
  site: Site,
  edits: Edits,
  frames: readonly string[] | 'all',
): Promise<{ readonly edits: Edits; readonly frames: readonly string[] }> {
  if (frames.length === 0) return { edits, frames: [] }
  await lockRegistry(tx, site)
  if (frames === 'all')
    return { edits: { ...edits, options: await findOptionEdits(tx, site, 'all') }, frames: [] }
  const names = new Set([REGISTRY_OPTION, ...frames.map(recordOption)])
  const options = await findOptionEdits(tx, site, names)
  const edited = new Set(options.map(({ name }) => name))
  const others = edits.options.filter(({ name }) => !names.has(name))
  return {
    edits: { ...edits, options: [...others, ...options] },
    frames: frames.filter((id) => edited.has(REGISTRY_OPTION) || edited.has(recordOption(id))),
  }
}

/** Sites without frames have no pages to build, and are not compared. */
async function hasFrames(db: Db, site: Site): Promise<boolean> {
  return (await readOption(db, site, REGISTRY_OPTION)) !== undefined
}

/** The number of the last comparison of a site with edits; undefined if the site was never compared. */
async function readRound(db: Db, { blogId, globals }: Site): Promise<number | undefined> {
  const row = await readRow<{ round: number }>(
    db,
    'SELECT round FROM :seen: WHERE blog_id = :blogId',
    { seen: seenTables(globals).sites, blogId },
  )
  return row?.round
}

/**
 * Begins the transaction of a comparison. Of two comparisons at the same time only one is stored, because the other one may have read older
 * rows.
 * @returns false if another comparison of the site was stored since `round` was read
 */
async function nextRound(tx: Tx, { blogId, globals }: Site, round: number): Promise<boolean> {
  const values = { seen: seenTables(globals).sites, blogId, round }
  await runStatement(tx, 'INSERT IGNORE INTO :seen: (blog_id, round) VALUES (:blogId, 0)', values)
  const { affectedRows } = await runStatement(
    tx,
    'UPDATE :seen: SET round = round + 1 WHERE blog_id = :blogId AND round = :round',
    values,
  )
  return affectedRows > 0
}

/** Stores the checksum of a state that was seen, and whether the menus of the site link more than pages and categories. */
async function storeState(tx: Tx, { blogId, globals }: Site, state: PolledState): Promise<void> {
  const { sites, posts, terms } = seenTables(globals)
  await runStatement(
    tx,
    `UPDATE :sites: SET checksum = :checksum, links_others =
        EXISTS (SELECT 1 FROM :posts: WHERE blog_id = :blogId AND type NOT IN ('page', 'nav_menu_item'))
        OR EXISTS (SELECT 1 FROM :terms: WHERE blog_id = :blogId
          AND taxonomy NOT IN ('language', 'post_translations', 'nav_menu', 'category'))
      WHERE blog_id = :blogId`,
    { sites, posts, terms, blogId, checksum: checksumOf(state) },
  )
}

/** A deleted site loses its copies. While a backup is restored, the site's tables may be missing although the site exists. */
async function recordDeletion(
  db: Database,
  globals: GlobalTables,
  blogId: number,
): Promise<RecordedEdits | undefined> {
  if (await findBlog(db, globals, blogId)) return undefined
  if (await isWorking(db, { blogId, globals })) return undefined
  const row = { site_id: 0, domain: '', path: '/', archived: 0, spam: 0, deleted: 1 }
  const site = siteOf(globals, { ...row, blog_id: blogId })
  const seen = seenTables(globals)
  const change = await db.write({ site: { blogId } }, async (tx) => {
    for (const table of Object.values(seen))
      await runStatement(tx, 'DELETE FROM :table: WHERE blog_id = :blogId', { table, blogId })
    return recordChange(tx, site, { bake: true, work: workOn('all') })
  })
  return { site, change }
}
