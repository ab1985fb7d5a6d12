import { inBatches } from '../../db/sql.ts'
import { REGISTRY_OPTION } from '../../frames/option-names.ts'
import { lockRegistry, type Registry } from '../../frames/registry.ts'
import { deleteOrphanedOptions, restoreFrames } from '../../frames/repair-frames.ts'
import { FIX_BATCH_SIZE, type Fix, formatList, type Problem } from '../finding.ts'
import type { SiteSnapshot } from '../site-snapshot.ts'

/** Is there a list of the site's frames, and does each of its slugs stand for one frame? */
export async function checkRegistry(visit: SiteSnapshot): Promise<Problem[]> {
  const registry = await visit.registry()
  if (!registry) return [UNREADABLE_REGISTRY]
  return [
    ...((await visit.registryText()) === undefined ? await missingRegistry(visit) : []),
    ...sharedSlugs(registry),
  ]
}

const UNREADABLE_REGISTRY: Problem = {
  check: 'registry_unreadable',
  severity: 'error',
  what: `The list of the site's frames (option ${REGISTRY_OPTION}) is damaged.`,
  why: 'No frame of the site can be read or written.',
  mend: `Restore that option from a backup. Without one, delete it: the list is then made of the records at the next write, with the slugs that they say.`,
}

async function missingRegistry(visit: SiteSnapshot): Promise<Problem[]> {
  const records = [...(await visit.frames()).values()].filter(({ record }) => record !== undefined)
  if (records.length === 0) return []
  return [
    {
      check: 'registry_missing',
      severity: 'warning',
      what: `The site has frames (${records.length}) and no list of them (option ${REGISTRY_OPTION}).`,
      why: 'Their names are taken from their records at each read, which is slow; a frame whose record says none bears its id.',
      mend: 'Write any frame, or let the doctor make the list.',
      remedy: {
        does: 'Makes the list of frames from their records.',
        apply: async ({ db }) => {
          await db.write({ site: visit.site }, (tx) => lockRegistry(tx, visit.site))
        },
      },
    },
  ]
}

function sharedSlugs(registry: Registry): Problem[] {
  const ids = new Map<string, string[]>()
  for (const { id, slug } of registry.all()) ids.set(slug, [...(ids.get(slug) ?? []), id])
  return [...ids].flatMap(([slug, bearers]): Problem[] =>
    bearers.length < 2
      ? []
      : [
          {
            check: 'slug_shared',
            severity: 'error',
            what: `The frames ${formatList(bearers)} all bear the slug "${slug}".`,
            why: 'Only one of them is found by it, in addresses and where frames embed it.',
            mend: 'Give the others slugs of their own with PATCH /frames/{id}.',
          },
        ],
  )
}

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
        await db.write({ site }, (tx) => restoreFrames(tx, site, batch))
    },
  }
  const remove: Fix = {
    does: 'Deletes what is left of frames that are gone.',
    apply: async ({ db }) => {
      for (const batch of inBatches(leftovers, FIX_BATCH_SIZE))
        await db.write({ site }, (tx) => deleteOrphanedOptions(tx, site, batch))
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
