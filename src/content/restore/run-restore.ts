import { gmtText } from '../../db/gmt.ts'
import type { Tx } from '../../db/transaction.ts'
import type { AppError } from '../../host/errors.ts'
import type { Precondition } from '../../host/preconditions.ts'
import type { HistoryKind } from '../../record/history/history-row.ts'
import { readContents } from '../../record/history/read-history.ts'
import { recordedWrites, type ThingWrite } from '../../record/history/record-history.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { readPostColumns } from '../../wordpress/pages/posts.ts'
import { readPostsMeta } from '../../wordpress/postmeta.ts'
import type { AssignmentFields, PageFrame } from '../frames/frame-history.ts'
import { setPageFrames } from '../frames/frame-pages.ts'
import { PAGE_META_KEY } from '../frames/option-names.ts'
import type { Registry } from '../frames/registry.ts'
import { writeDataset } from '../frames/write-dataset.ts'
import { type MenuWriter, readWriteContext } from '../menus/write-context.ts'
import type { Change } from '../work/change.ts'
import { type Work, workOn, workOnEmbedders, workOnPage } from '../work/work.ts'
import { assertUnchanged } from './changed-since.ts'
import type { Obstacle, RestoreTarget, RestoreTargets } from './choose-targets.ts'
import { type FrameRestoreContext, frameWithId, restoreFrames } from './restore-frames.ts'
import { restoreLocations, restoreMenus } from './restore-menus.ts'
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

export type RestoreWriter = MenuWriter &
  Pick<FrameRestoreContext, 'analyzer' | 'maxSiteBytes'> & {
    /** The error of a restore that writes markup, if the writer may not. */
    readonly markupRefusal?: AppError | undefined
    readonly now: () => Date
  }

/** What a restore has written, and what it could not restore. */
export type Restored = {
  readonly restored: readonly WrittenState[]
  readonly obstacles: readonly Obstacle[]
}

/**
 * Restores what was chosen, with the functions of ordinary writes, so that it has entries and effects of its own. What cannot be restored is
 * listed; everything else is restored in this transaction, which writes nothing else to the site.
 * @throws AppError `precondition_failed`, `frame_too_large`, `frame_unreadable`, `site_quota_exceeded`, `frame_charset_unsupported`,
 * `unfiltered_html_required`; ChangedSince
 */
export async function runRestore(
  tx: Tx,
  site: Site,
  chosen: RestoreTargets,
  { bake, precondition, ifUnchanged, isWhole, isCompared = true }: RestoreRequest,
  { now, ...writer }: RestoreWriter,
): Promise<Restored & { readonly change: Change }> {
  const readMenuContext = () => readWriteContext(tx, site, writer, now)
  const context = { ...writer, now: gmtText(now()), precondition, isWhole, readMenuContext }
  const obstacles = await restoreTargets(tx, site, chosen, context)
  if (ifUnchanged) await assertUnchanged(tx, site, chosen.targets)
  const writes = recordedWrites(tx, site)
  const isMarkup = writes.some(({ kind, after }) => kind === 'frame' && after)
  if (isMarkup && writer.markupRefusal) throw writer.markupRefusal
  const restored: WrittenState[] = []
  for await (const state of readWrittenStates(tx, site, isCompared)) restored.push(state)
  return { restored, obstacles, change: { bake, work: workOf(writes) } }
}

async function restoreTargets(
  tx: Tx,
  site: Site,
  { targets, unknown }: RestoreTargets,
  context: FrameRestoreContext & Parameters<typeof restoreMenus>[3],
): Promise<Obstacle[]> {
  const of = (kind: HistoryKind): RestoreTarget[] =>
    targets.filter(({ thing }) => thing.kind === kind)
  const obstacles = unknown.map(pruned)
  obstacles.push(...(await restoreMenus(tx, site, of('menu'), context)))
  obstacles.push(...(await restoreLocations(tx, site, of('location'))))
  const [frames, assignments] = [of('frame'), of('assignment')]
  if (frames.length + assignments.length > 0) {
    const restored = await restoreFrames(tx, site, frames, context)
    obstacles.push(...restored.obstacles)
    obstacles.push(...(await restoreAssignments(tx, site, assignments, restored.registry)))
  }
  obstacles.push(...(await restoreDatasets(tx, site, of('dataset'))))
  return obstacles
}

const pruned = ({ kind, ref }: RestoreTarget['thing']): Obstacle => ({
  kind,
  ref,
  name: ref,
  reason: 'history_pruned',
  message: 'The history no longer has the state at that time.',
})

function workOf(writes: readonly ThingWrite[]): Work[] {
  const isMenuTouched = writes.some(({ kind }) => kind === 'menu' || kind === 'location')
  return [...(isMenuTouched ? workOn('menus') : []), ...writes.flatMap(workOfWrite)]
}

function workOfWrite({ kind, ref, before, after }: ThingWrite): Work[] {
  switch (kind) {
    case 'frame': {
      const slugs = new Set([before, after].flatMap((state) => state?.name ?? []))
      return [...(after ? workOn('frame', [ref]) : []), ...workOnEmbedders(ref, [...slugs])]
    }
    case 'assignment':
      return [workOnPage(ref, after === undefined)]
    case 'dataset':
      return workOn('dataset', [ref])
    default:
      return []
  }
}

/** Restores which frames pages stand on. The caller has locked the frames. */
async function restoreAssignments(
  tx: Tx,
  site: Site,
  targets: readonly RestoreTarget[],
  registry: Registry,
): Promise<Obstacle[]> {
  const pageIds = targets.map(({ thing }) => Number(thing.ref))
  const [existing, current] = await Promise.all([
    readPostColumns(tx, site, pageIds, 'post_status'),
    readPostsMeta(tx, site, pageIds, PAGE_META_KEY),
  ])
  const pages: PageFrame[] = []
  const obstacles: Obstacle[] = []
  for (const { thing, wanted } of targets) {
    const pageId = Number(thing.ref)
    const fields: AssignmentFields | null = JSON.parse(wanted?.state ?? 'null')
    const stored = current.get(pageId)
    if (stored === fields?.frame) continue
    const frame = fields ? frameWithId(registry, fields.frame) : undefined
    const obstacle = (reason: Obstacle['reason'], message: string): void =>
      void obstacles.push({ ...thing, name: wanted?.name ?? '', reason, message })
    if (!existing.has(pageId)) obstacle('page_missing', `Page ${pageId} does not exist.`)
    else if (fields && !frame) obstacle('frame_missing', `Frame ${fields.frame} does not exist.`)
    else {
      const before = stored === undefined ? undefined : frameWithId(registry, stored)
      pages.push({ pageId, before: before ?? stored, frame })
    }
  }
  await setPageFrames(tx, site, pages)
  return obstacles
}

/** Restores data sets that the service has written. */
async function restoreDatasets(
  tx: Tx,
  site: Site,
  targets: readonly RestoreTarget[],
): Promise<Obstacle[]> {
  const hashes = targets.flatMap(({ wanted }) => wanted?.content ?? [])
  const contents = await readContents(tx, site, hashes)
  const obstacles: Obstacle[] = []
  for (const { thing, wanted } of targets) {
    const isWanted = wanted?.state != null
    const text = isWanted ? contents.get(wanted.content ?? '') : undefined
    if (!isWanted || text !== undefined) await writeDataset(tx, site, thing.ref, text)
    else {
      const message = 'The content of this state is no longer in the history.'
      obstacles.push({ ...thing, name: thing.ref, reason: 'history_pruned', message })
    }
  }
  return obstacles
}
