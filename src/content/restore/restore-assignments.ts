import type { Tx } from '../../db/transaction.ts'
import { readPostStatuses } from '../../wordpress/health/menu-survey.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { readPostsMeta } from '../../wordpress/postmeta.ts'
import type { AssignmentFields, PageFrame } from '../frames/frame-history.ts'
import { setPageFrames } from '../frames/frame-pages.ts'
import { PAGE_META_KEY } from '../frames/option-names.ts'
import type { Registry } from '../frames/registry.ts'
import type { RestoreTarget } from './choose-targets.ts'
import type { Obstacle } from './obstacle.ts'
import { frameWithId } from './restore-frames.ts'

/** Restores which frames pages stand on. The caller has locked the frames. */
export async function restoreAssignments(
  tx: Tx,
  site: Site,
  targets: readonly RestoreTarget[],
  registry: Registry,
): Promise<Obstacle[]> {
  const pageIds = targets.map(({ thing }) => Number(thing.ref))
  const [existing, current] = await Promise.all([
    readPostStatuses(tx, site, pageIds),
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
