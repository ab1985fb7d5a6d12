import type { Tx } from '../../db/transaction.ts'
import { readContents } from '../../record/history/read-history.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { writeDataset } from '../frames/write-dataset.ts'
import type { RestoreTarget } from './choose-targets.ts'
import type { Obstacle } from './obstacle.ts'

/** Restores data sets that the service has written. */
export async function restoreDatasets(
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
