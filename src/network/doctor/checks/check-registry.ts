import { REGISTRY_OPTION } from '../../../content/frames/option-names.ts'
import { lockRegistry, type Registry } from '../../../content/frames/registry.ts'
import { deleteOrphanedOptions } from '../../../content/frames/repair-frames.ts'
import { inBatches } from '../../../db/sql.ts'
import { FIX_BATCH_SIZE, type Fix, formatList, type Problem } from '../finding.ts'
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

const UNREADABLE_REGISTRY: Problem = {
  check: 'registry_unreadable',
  severity: 'error',
  message: `The registry of the site's frames (option ${REGISTRY_OPTION}) is damaged.`,
  impact: 'No frame of the site can be read or written.',
  fixHint:
    'Restore the option from a backup. If there is none, delete the option: the next write rebuilds the registry from the slugs in the records.',
}

async function missingRegistry(snapshot: SiteSnapshot): Promise<Problem[]> {
  const records = [...(await snapshot.frames()).values()].filter(
    ({ record }) => record !== undefined,
  )
  if (records.length === 0) return []
  return [
    {
      check: 'registry_missing',
      severity: 'warning',
      message: `The site has frames (${records.length}) but no registry (option ${REGISTRY_OPTION}).`,
      impact:
        'Each read takes the slugs from the records, which is slow. A frame whose record has no slug gets its id as slug.',
      fixHint: 'Write any frame, or run "doctor --fix" to rebuild the registry.',
      fix: {
        summary: 'Rebuilds the registry from the records.',
        apply: async ({ db }) => {
          await db.write({ site: snapshot.site }, (tx) => lockRegistry(tx, snapshot.site))
        },
      },
    },
  ]
}

function sharedSlugs(registry: Registry): Problem[] {
  const ids = new Map<string, string[]>()
  for (const { id, slug } of registry.all()) ids.set(slug, [...(ids.get(slug) ?? []), id])
  return [...ids].flatMap(([slug, owners]): Problem[] =>
    owners.length < 2
      ? []
      : [
          {
            check: 'slug_shared',
            severity: 'error',
            message: `The frames ${formatList(owners)} have the same slug "${slug}".`,
            impact: 'Addresses and inserts with this slug find only one of them.',
            fixHint: 'Give each of the others a unique slug with PATCH /frames/{id}.',
          },
        ],
  )
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
  const register: Fix = {
    summary:
      'Adds these frames to the registry, with the slug in their record, or with their id if that slug is taken.',
    apply: ({ db }) =>
      rewriteFrames(
        db,
        site,
        lost.map(([id]) => id),
      ),
  }
  const remove: Fix = {
    summary: 'Deletes leftover options of deleted frames.',
    apply: async ({ db }) => {
      for (const batch of inBatches(orphaned, FIX_BATCH_SIZE))
        await db.write({ site }, (tx) => deleteOrphanedOptions(tx, site, batch))
    },
  }
  return [
    ...lost.map(([id, { record }]): Problem => {
      return record === null ? damagedRecord(id) : { ...unlistedRecord(id), fix: register }
    }),
    ...orphaned.map((id): Problem => ({ ...leftoverOptions(id), fix: remove })),
  ]
}

const unlistedRecord = (id: string): Problem => ({
  check: 'record_unlisted',
  severity: 'error',
  message: `The frame ${id} has a record but is not in the registry.`,
  impact: 'The frame cannot be read, changed or embedded.',
  fixHint: `Run "doctor --fix" to add it to the registry, and delete it with DELETE /frames/${id} if you do not need it.`,
})

const damagedRecord = (id: string): Problem => ({
  ...unlistedRecord(id),
  message: `The frame ${id} has a damaged record and is not in the registry.`,
  fixHint: `Save what you need from the option svc_frame_${id}, then delete the option.`,
})

const leftoverOptions = (id: string): Problem => ({
  check: 'leftover_option',
  severity: 'warning',
  message: `The deleted frame ${id} still has a meta or a baked copy.`,
  impact: 'It wastes space.',
  fixHint: 'Run "doctor --fix" to delete it.',
})
