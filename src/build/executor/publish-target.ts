import { listBuilders } from '../../content/work/due-work.ts'
import type { CopyStore } from '../publishing/copy-store.ts'
import type { Publication } from '../publishing/publish-copies.ts'
import type { WorkerOptions } from './worker-options.ts'

/** Where a builder publishes pages, or why it does not. */
export type PublishTarget =
  | { readonly state: 'ready'; readonly copies: CopyStore; readonly publication: Publication }
  /** Static copies are turned off. */
  | { readonly state: 'off' }
  /** The folder is not usable: a message for clients. */
  | { readonly state: 'unavailable'; readonly problem: string }

/**
 * Fences the writers that are no builders of a site: killed processes leave them behind. One that is at work without a site may be fenced too: it ends with
 * a `LostLeaseError`, and begins again (`withOwnWriter`).
 * @param listBuilders reads the ids of all builders that have a site
 * @returns the ids of these writers
 */
export async function fenceLeftWriters(
  copies: CopyStore,
  listBuilders: () => Promise<ReadonlySet<string>>,
): Promise<string[]> {
  // In this order: a builder has its site before it has a writer.
  const writers = await copies.owners()
  if (writers.length === 0) return []
  const builders = await listBuilders()
  const left = writers.filter((id) => !builders.has(id))
  for (const id of left) await copies.fence(id)
  return left
}

/** Opens the static copies for a builder. An outage is logged once. */
export async function openTarget(
  { db, globals, copies, outage, log }: WorkerOptions,
  { site, owner }: { readonly site: number; readonly owner: string },
): Promise<PublishTarget> {
  if (copies === undefined) return { state: 'off' }
  try {
    await copies.open()
    // During the outage, writers could not end.
    if (outage.isLogged) await fenceLeftWriters(copies, () => listBuilders(db, globals))
    const publication = { writer: await copies.begin(site, owner), growth: 0 }
    outage.isLogged = false
    return { state: 'ready', copies, publication }
  } catch (error) {
    if (!outage.isLogged) log.error({ err: error }, 'static copies cannot be written')
    outage.isLogged = true
    return { state: 'unavailable', problem: TARGET_PROBLEM }
  }
}

export const TARGET_PROBLEM =
  'The static copies cannot be written, so no page was published. Pages are rendered on request meanwhile. The reason is in the log of the service.'
