import { inBatches } from '../../db/sql.ts'
import { deleteOrphanedOptions, restoreFrames } from '../../frames/repair-frames.ts'
import { FIX_BATCH_SIZE, type Fix, type Problem } from '../finding.ts'
import type { SiteSnapshot } from '../site-snapshot.ts'

/** Is something stored of frames that the site's list doesn't have? */
export async function checkUnlistedFrames(visit: SiteSnapshot): Promise<Problem[]> {
  const { site } = visit
  const registry = await visit.registry()
  if (!registry) return []
  const listed = new Set(registry.all().map(({ id }) => id))
  const unlisted = [...(await visit.frames())].filter(([id]) => !listed.has(id))
  const lost = unlisted.filter(([, { record }]) => record !== undefined)
  const leftovers = unlisted.filter(([, { record }]) => record === undefined).map(([id]) => id)
  const list: Fix = {
    does: 'Enters these frames into the list, under the slugs that their records say where these are free, else under their ids.',
    apply: async ({ db }) => {
      for (const batch of inBatches(
        lost.map(([id]) => id),
        FIX_BATCH_SIZE,
      ))
        await db.transaction((tx) => restoreFrames(tx, site, batch), site)
    },
  }
  const remove: Fix = {
    does: 'Deletes what is left of frames that are gone.',
    apply: async ({ db }) => {
      for (const batch of inBatches(leftovers, FIX_BATCH_SIZE))
        await db.transaction((tx) => deleteOrphanedOptions(tx, site, batch), site)
    },
  }
  return [
    ...lost.map(([id, { record }]): Problem => {
      const symptom = record === null ? damagedRecord(id) : unlistedRecord(id)
      return record === null ? symptom : { ...symptom, remedy: list }
    }),
    ...leftovers.map((id): Problem => ({ ...leftoverOptions(id), remedy: remove })),
  ]
}

const unlistedRecord = (id: string): Problem => ({
  check: 'record_unlisted',
  severity: 'error',
  what: `There is a record of the frame ${id}, which the list of frames doesn't have.`,
  why: 'The frame cannot be read, changed or embedded; its markup lies there unseen.',
  mend: `Let the doctor list it, and delete it with DELETE /frames/${id} if it is not wanted.`,
})

const damagedRecord = (id: string): Problem => ({
  ...unlistedRecord(id),
  what: `There is a damaged record of the frame ${id}, which the list of frames doesn't have.`,
  mend: `Look whether something of the option svc_frame_${id} is worth keeping, and delete it.`,
})

const leftoverOptions = (id: string): Problem => ({
  check: 'leftover_option',
  severity: 'warning',
  what: `There is a meta or a baked copy of the frame ${id}, which is gone.`,
  why: 'It only takes up room.',
  mend: 'Let the doctor delete it.',
})
