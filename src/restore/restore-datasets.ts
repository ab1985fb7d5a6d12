import type { Tx } from '../db/transaction.ts'
import { writeDataset } from '../frames/write-dataset.ts'
import { readContents } from '../history/read-history.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { RestoreTarget } from './choose-targets.ts'
import type { Obstacle, RestoredPart, RestoredThing } from './restored-thing.ts'

/** Restores data sets that the service has written. */
export async function restoreDatasets(
  tx: Tx,
  site: Site,
  targets: readonly RestoreTarget[],
): Promise<RestoredPart> {
  const hashes = targets.flatMap(({ wanted }) => wanted?.content ?? [])
  const contents = await readContents(tx, site, hashes)
  const restored: RestoredThing[] = []
  const obstacles: Obstacle[] = []
  for (const { thing, wanted } of targets) {
    const isWanted = wanted !== null && wanted.state !== null
    const text = isWanted ? contents.get(wanted.content ?? '') : undefined
    const name = thing.ref
    if (isWanted && text === undefined) {
      const message = 'The content of this state is no longer in the history.'
      obstacles.push({ ...thing, name, reason: 'history_pruned', message })
      continue
    }
    const before = await writeDataset(tx, site, name, text)
    if (before === text) continue
    restored.push({
      ...thing,
      name,
      action: text === undefined ? 'deleted' : before === undefined ? 'created' : 'replaced',
      before: before === undefined ? undefined : { fields: {}, content: before },
      after: text === undefined ? undefined : { fields: {}, content: text },
    })
  }
  return { restored, obstacles }
}
