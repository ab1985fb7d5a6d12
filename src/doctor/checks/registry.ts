import { REGISTRY_OPTION } from '../../frames/option-names.ts'
import { type Registry, lockRegistry } from '../../frames/registry.ts'
import { type Problem, formatList } from '../finding.ts'
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
          await db.transaction((tx) => lockRegistry(tx, visit.site), visit.site)
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
