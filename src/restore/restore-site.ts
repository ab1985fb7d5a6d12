import type { Tx } from '../db/transaction.ts'
import type { HistoryKind } from '../history/history-row.ts'
import { recordedWrites, type ThingWrite } from '../history/record-history.ts'
import type { WriteContext } from '../menus/write-context.ts'
import type { Site } from '../wordpress/network/site.ts'
import { type Work, workOn, workOnEmbedders, workOnPage } from '../work/work.ts'
import type { RestoreTarget, RestoreTargets } from './choose-targets.ts'
import type { Obstacle } from './obstacle.ts'
import { restoreDatasets } from './restore-datasets.ts'
import { type FrameRestoreContext, restoreAssignments, restoreFrames } from './restore-frames.ts'
import { restoreLocations, restoreMenus } from './restore-menus.ts'

export type RestoreContext = FrameRestoreContext & {
  /** Reads what a write of a menu depends on. Most restores write none. */
  readonly readMenuContext: (tx: Tx) => Promise<WriteContext>
}

export type RestoreResult = {
  readonly obstacles: readonly Obstacle[]
  readonly work: readonly Work[]
}

/**
 * Restores things of a site with the functions of ordinary writes, so that it has entries and effects of its own. What cannot be restored is
 * listed; everything else is restored in this transaction, which writes nothing else to the site.
 * @throws AppError `precondition_failed`, `frame_too_large`, `site_quota_exceeded`, `frame_charset_unsupported`
 */
export async function restoreTargets(
  tx: Tx,
  site: Site,
  { targets, unknown }: RestoreTargets,
  context: RestoreContext,
): Promise<RestoreResult> {
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
  return { obstacles, work: workOf(recordedWrites(tx, site)) }
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
