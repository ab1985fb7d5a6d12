import { writeChange } from '../../changes/record-write.ts'
import { newFrameId } from '../../content/frames/create-frame.ts'
import { setPageFrames } from '../../content/frames/frame-pages.ts'
import { type LockedFrames, lockFrames } from '../../content/frames/lock-frames.ts'
import { REGISTRY_OPTION, VERSION_OPTION } from '../../content/frames/option-names.ts'
import { writeDataset } from '../../content/frames/write-dataset.ts'
import { writeFrames } from '../../content/frames/write-frames.ts'
import {
  assignMenu,
  assignmentOptions,
  setLocations,
  type WantedLocation,
} from '../../content/menus/assign-menu.ts'
import { lockMenuNames, readMenuName } from '../../content/menus/menu-names.ts'
import type { WriteContext } from '../../content/menus/write-context.ts'
import { saveMenu, writeTree } from '../../content/menus/write-items.ts'
import { createMenu, deleteMenu } from '../../content/menus/write-menu.ts'
import type { Change } from '../../content/work/change.ts'
import type { RecordedChange } from '../../content/work/record-work.ts'
import { type Work, workOn, workOnPage } from '../../content/work/work.ts'
import type { Database, Db } from '../../db/database.ts'
import { gmtText } from '../../db/gmt.ts'
import type { Tx } from '../../db/transaction.ts'
import { lockMenu } from '../../wordpress/nav-menus/menu-term.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { lockOptions } from '../../wordpress/options/write-options.ts'
import type { DesiredSite } from '../description/desired-site.ts'
import type { PlanContext } from './plan-context.ts'
import { VARIABLES } from './plan-dataset.ts'
import type { PlannedFrames } from './plan-frames.ts'
import { type MenuWrite, type PlannedMenus, planMenus } from './plan-menus.ts'
import { type PlannedWrites, planWrites, workOfWrites } from './plan-site.ts'
import type { PlanProblem, Step } from './site-plan.ts'

/** The desired state of a site, or a function that derives it from the present one. It is called under the locks of the write. */
export type DesiredSource = DesiredSite | ((db: Db, site: Site) => Promise<DesiredSite>)

export const readDesired = async (db: Db, site: Site, desired: DesiredSource) =>
  typeof desired === 'function' ? desired(db, site) : desired

export type ApplySiteOptions = {
  /** The digest of the plan that the caller has seen. Any other plan is refused [the present plan is applied]. */
  readonly expectedDigest?: string | undefined
  /** Limit for the markup of all frames of the site, in bytes [none]. */
  readonly maxSiteBytes?: number | undefined
  /** False: nothing is built [true]. */
  readonly bake?: boolean | undefined
  /** Runs in the transaction when the frames are locked. An error ends it. */
  readonly onLocked?: ((tx: Tx) => Promise<void>) | undefined
  /** Runs in the transaction after the writes, for example to record that they are done. */
  readonly onApplied?: ((tx: Tx, steps: readonly Step[]) => Promise<void>) | undefined
}

/** What happened on a site. Only `applied` has written something. */
export type AppliedSite = {
  /** `moved`: the plan is not the expected one any more. `blocked`: the plan has problems. */
  readonly outcome: 'applied' | 'moved' | 'blocked'
  /** The plan at the time of the transaction. */
  readonly steps: readonly Step[]
  readonly problems: readonly PlanProblem[]
  readonly warnings: readonly PlanProblem[]
  readonly digest: string
  readonly change: RecordedChange
}

const NO_CHANGE: Change = { bake: true, work: [] }

/**
 * Brings a site to its desired state in one transaction: locks what the plan depends on, plans again with the same function, and writes
 * exactly these steps, or nothing.
 * @throws AppError `site_quota_exceeded`, `frame_charset_unsupported`, and those of `assignMenu`
 */
export function applySite(
  db: Database,
  site: Site,
  desired: DesiredSource,
  context: PlanContext,
  { expectedDigest, maxSiteBytes, bake = true, onLocked, onApplied }: ApplySiteOptions = {},
): Promise<AppliedSite> {
  return writeChange(db, { site }, async (tx) => {
    const menus = await lockMenusToWrite(tx, site, await readDesired(tx, site, desired), context)
    const frames = await lockFrames(tx, site)
    const wanted = await readDesired(tx, site, desired)
    const known = { menus, graph: frames.graph }
    const [writes] = await Promise.all([
      planWrites(tx, site, wanted, context, known),
      onLocked?.(tx),
    ])
    const { plan } = writes
    if (expectedDigest !== undefined && plan.digest !== expectedDigest)
      return { outcome: 'moved' as const, ...plan, change: NO_CHANGE }
    if (plan.problems.length > 0) return { outcome: 'blocked' as const, ...plan, change: NO_CHANGE }
    const limits = { now: gmtText(context.now()), maxSiteBytes }
    await writePlannedMenus(tx, site, writes.menus)
    const ids = await writePlannedFrames(frames, writes.frames, context, limits)
    const { registry } = frames.graph
    const pages = writes.pages.writes.map(({ frame, ...page }) => {
      return { ...page, frame: frame === null ? undefined : registry.get(frame) }
    })
    await setPageFrames(tx, site, pages)
    if (writes.dataset.text !== undefined)
      await writeDataset(tx, site, VARIABLES, writes.dataset.text)
    await onApplied?.(tx, plan.steps)
    return { outcome: 'applied' as const, ...plan, change: { bake, work: workOf(writes, ids) } }
  })
}

/**
 * Locks the menus that a plan may write, and what their locations are stored in, in the order of all writers: names of menus, menus, options
 * by name. Most runs leave menus alone, so it plans before it locks. If anything differs, it locks all described menus: another writer may
 * change one before its lock, and the plan under the locks would write it too.
 * @returns the plan of the menus if they are left alone
 */
async function lockMenusToWrite(
  tx: Tx,
  site: Site,
  desired: DesiredSite,
  context: PlanContext,
): Promise<PlannedMenus | undefined> {
  const planned = await planMenus(tx, site, desired, context)
  const { deletions, matched, locations, steps, problems } = planned
  if (steps.length + problems.length === 0) return planned
  lockMenuNames(tx, site)
  const ids = [...matched, ...deletions.map(({ id }) => id)]
  for (const id of ids.sort((a, b) => a - b)) await lockMenu(tx, site, id)
  const options = new Set(locations.themes.flatMap(assignmentOptions))
  if (options.size > 0) await lockOptions(tx, site, [...options, REGISTRY_OPTION, VERSION_OPTION])
  return undefined
}

function workOf(writes: PlannedWrites, ids: ReadonlyMap<string, string>): Work[] {
  return [
    ...workOn('frame', ids.values()),
    ...workOfWrites(writes, (slug) => ids.get(slug)),
    ...writes.pages.writes.map(({ pageId, frame }) => workOnPage(pageId, frame === null)),
  ]
}

/** The limits and the time of a write of frames. `now`: GMT, `YYYY-MM-DD HH:MM:SS`. */
type FrameWriteOptions = { readonly now: string; readonly maxSiteBytes: number | undefined }

/**
 * Writes the planned frames; what the history needs of the existing ones is read in one statement. The caller has locked the frames.
 * @returns the id of each written frame, by its slug
 * @throws AppError `site_quota_exceeded`, `frame_charset_unsupported`
 */
async function writePlannedFrames(
  frames: LockedFrames,
  { writes, deletions }: PlannedFrames,
  { userId, markup: analyzer }: PlanContext,
  { now, maxSiteBytes }: FrameWriteOptions,
): Promise<ReadonlyMap<string, string>> {
  if (writes.length + deletions.length === 0) return new Map()
  const existing = [...writes.flatMap(({ current }) => current ?? []), ...deletions]
  frames.early.readDigests(existing.map(({ id }) => id))
  // Deletions first: a slug that becomes free may be taken by another frame.
  for (const { id } of deletions) frames.stageRemoval(id)
  const named = writes.map(({ current, slug, html }) => {
    return { id: current?.id ?? newFrameId(), slug, html, isNew: current === undefined }
  })
  await writeFrames(frames, named, { userId, now, analyzer })
  await frames.flush(maxSiteBytes)
  return new Map(named.map(({ slug, id }) => [slug, id]))
}

/**
 * Writes the planned menus and their locations. The caller has locked the names and the menus. Deletions and renames come first: the plan
 * has checked that all names and slugs are unique in the end, so that new menus find theirs free.
 */
async function writePlannedMenus(
  tx: Tx,
  site: Site,
  { writes, deletions, locations, context }: PlannedMenus,
): Promise<void> {
  if (!context) return
  const { languages } = context.links
  for (const { id } of deletions) await deleteMenu(tx, site, languages, { ref: String(id) })
  const existing = writes.filter(({ before }) => before !== undefined)
  for (const write of existing) await rewriteMenu(tx, site, write, context)
  const created = new Map<string, number>()
  for (const { before, menu, slug } of writes) {
    if (before) continue
    const { tree, name, allowInvalid = false } = menu
    const wanted = { tree, allowInvalid, name: readMenuName(name), assignment: undefined }
    const { warnings, ...made } = await createMenu(tx, site, { ...wanted, slug }, context)
    const renamed = warnings.filter((warning) => warning !== 'location_filled')
    created.set(slug, made.menu.id)
    if (renamed.length > 0) throw new Error(`menu "${slug}" got another name: ${renamed}`)
  }
  for (const { slug, menuId = created.get(slug) ?? 0, assignment } of locations.assigned)
    await assignMenu(tx, site, languages, menuId, assignment)
  await setLocations(
    tx,
    site,
    locations.cleared.flatMap(({ theme, location, lang }): WantedLocation[] => [
      // The location stays registered in the map of the theme, as when its menu is deleted.
      ...(lang === languages.default ? [{ at: { theme, location, lang: null }, menuId: 0 }] : []),
      ...(lang === null ? [] : [{ at: { theme, location, lang }, menuId: undefined }]),
    ]),
  )
}

async function rewriteMenu(
  tx: Tx,
  site: Site,
  { before, name, slug, difference }: MenuWrite,
  context: WriteContext,
): Promise<void> {
  if (!before) return
  const isRenamed = before.menu.name !== name || before.menu.slug !== slug
  const menu = isRenamed ? { ...before.menu, name, slug } : before.menu
  if (difference) await writeTree(tx, site, before, difference, context, menu)
  else await saveMenu(tx, site, before, { ...before, menu })
}
