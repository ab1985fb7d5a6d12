import type { Tx } from '../db/transaction.ts'
import type { HistoryKind } from '../history/history-row.ts'
import type { WriteContext } from '../menus/write-context.ts'
import type { Site } from '../wordpress/network/site.ts'
import { type Work, workOn, workOnEmbedders, workOnPage } from '../work/work.ts'
import type { RestoreTarget, RestoreTargets } from './choose-targets.ts'
import { restoreDatasets } from './restore-datasets.ts'
import {
  type FrameRestoreContext,
  type RestoredFrames,
  restoreAssignments,
  restoreFrames,
} from './restore-frames.ts'
import { restoreLocations, restoreMenus } from './restore-menus.ts'
import type { Obstacle, RestoredPart } from './restored-thing.ts'

export type RestoreContext = FrameRestoreContext & {
  /** Reads what a write of a menu depends on. Most restores write none. */
  readonly readMenuContext: (tx: Tx) => Promise<WriteContext>
}

export type RestoreResult = RestoredPart & { readonly work: readonly Work[] }

/**
 * Restores things of a site with the functions of ordinary writes, so that it has entries and effects of its own. What cannot be restored is
 * listed; everything else is restored in this transaction.
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
  const menus = await restoreMenus(tx, site, of('menu'), context)
  const locations = await restoreLocations(tx, site, of('location'))
  const [frameTargets, assignmentTargets] = [of('frame'), of('assignment')]
  const frames: RestoredFrames | undefined =
    frameTargets.length + assignmentTargets.length > 0
      ? await restoreFrames(tx, site, frameTargets, context)
      : undefined
  const assignments: RestoredPart = frames
    ? await restoreAssignments(tx, site, assignmentTargets, frames.registry)
    : { restored: [], obstacles: [] }
  const datasets = await restoreDatasets(tx, site, of('dataset'))
  const parts = [menus, locations, ...(frames ? [frames] : []), assignments, datasets]
  return {
    restored: parts.flatMap(({ restored }) => restored),
    obstacles: [...unknown.map(pruned), ...parts.flatMap(({ obstacles }) => obstacles)],
    work: workOf({ menus, locations, frames, assignments, datasets }),
  }
}

const pruned = ({ kind, ref }: RestoreTarget['thing']): Obstacle => ({
  kind,
  ref,
  name: ref,
  reason: 'history_pruned',
  message: 'The history no longer has the state at that time.',
})

function workOf({
  menus,
  locations,
  frames,
  assignments,
  datasets,
}: {
  readonly menus: RestoredPart
  readonly locations: RestoredPart
  readonly frames: RestoredFrames | undefined
  readonly assignments: RestoredPart
  readonly datasets: RestoredPart
}): Work[] {
  const written = [...(frames?.written ?? [])]
  const existing = written.filter(([id]) => frames?.registry.find(id)?.id === id)
  const isMenuTouched = menus.restored.length + locations.restored.length > 0
  return [
    ...existing.flatMap(([id]) => workOn('frame', [id])),
    ...written.flatMap(([id, slugs]) => workOnEmbedders(id, slugs)),
    ...(isMenuTouched ? workOn('menus') : []),
    ...datasets.restored.flatMap(({ ref }) => workOn('dataset', [ref])),
    ...assignments.restored.map(({ ref, after }) => workOnPage(ref, after === undefined)),
    ...(frames?.unbound ?? []).map((page) => workOnPage(page, true)),
  ]
}
