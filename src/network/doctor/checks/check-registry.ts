import { REGISTRY_OPTION } from '../../../content/frames/option-names.ts'
import { lockRegistry, type Registry } from '../../../content/frames/registry.ts'
import { deleteOrphanedOptions } from '../../../content/frames/repair-frames.ts'
import { inBatches } from '../../../db/sql.ts'
import { groupBy } from '../../../host/group-by.ts'
import { FIX_BATCH_SIZE, type Fix, formatList, found, type Problem, subject } from '../finding.ts'
import type { SiteSnapshot } from '../site-snapshot.ts'
import { rewriteFrames } from './check-records.ts'

/** Checks that the registry exists and is readable, and that its slugs are unique. */
export async function checkRegistry(snapshot: SiteSnapshot): Promise<Problem[]> {
  const registry = await snapshot.registry()
  if (!registry) return [UNREADABLE_REGISTRY]
  return [
    ...((await snapshot.registryText()) === undefined ? await missingRegistry(snapshot) : []),
    ...sharedSlugs(registry),
  ]
}

const UNREADABLE_REGISTRY: Problem = found(
  'registry_unreadable',
  `The registry of the site's frames (option ${REGISTRY_OPTION}) is damaged.`,
)

async function missingRegistry(snapshot: SiteSnapshot): Promise<Problem[]> {
  const records = [...(await snapshot.frames()).values()].filter(
    ({ record }) => record !== undefined,
  )
  if (records.length === 0) return []
  const fix: Fix = {
    summary: 'Rebuilds the registry from the records.',
    apply: async ({ db }) => {
      await db.write({ site: snapshot.site }, (tx) => lockRegistry(tx, snapshot.site))
    },
  }
  const message = `The site has frames (${records.length}) but no registry (option ${REGISTRY_OPTION}).`
  return [found('registry_missing', message, { fix })]
}

function sharedSlugs(registry: Registry): Problem[] {
  return [...groupBy(registry.all(), ({ slug }) => slug)].flatMap(([slug, frames]): Problem[] => {
    const owners = frames.map(({ id }) => id)
    if (owners.length < 2) return []
    const message = `The frames ${formatList(owners)} have the same slug "${slug}".`
    return [found('slug_shared', message, { about: subject('frame', owners[1] ?? '') })]
  })
}

/** Finds stored options of frames that are not in the registry. */
export async function checkUnlistedFrames(snapshot: SiteSnapshot): Promise<Problem[]> {
  const { site } = snapshot
  const registry = await snapshot.registry()
  if (!registry) return []
  const registered = new Set(registry.all().map(({ id }) => id))
  const unregistered = [...(await snapshot.frames())].filter(([id]) => !registered.has(id))
  const lost = unregistered.filter(([, { record }]) => record !== undefined)
  const orphaned = unregistered.filter(([, { record }]) => record === undefined).map(([id]) => id)
  const lostIds = lost.map(([id]) => id)
  const register: Fix = {
    summary:
      'Adds these frames to the registry, with the slug in their record, or with their id if that slug is taken.',
    apply: ({ db }) => rewriteFrames(db, site, lostIds),
  }
  const remove: Fix = {
    summary: 'Deletes leftover options of deleted frames.',
    apply: async ({ db }) => {
      for (const batch of inBatches(orphaned, FIX_BATCH_SIZE))
        await db.write({ site }, (tx) => deleteOrphanedOptions(tx, site, batch))
    },
  }
  return [
    ...lost.map(([id, { record }]) =>
      record === null
        ? damagedRecord(id)
        : found('record_unlisted', `The frame ${id} has a record but is not in the registry.`, {
            fix: register,
          }),
    ),
    ...orphaned.map((id) =>
      found('leftover_option', `The deleted frame ${id} still has a meta or a baked copy.`, {
        fix: remove,
      }),
    ),
  ]
}

const damagedRecord = (id: string): Problem =>
  found('record_unlisted', `The frame ${id} has a damaged record and is not in the registry.`, {
    fixHint: `Save what you need from the option svc_frame_${id}, then delete the option.`,
  })
