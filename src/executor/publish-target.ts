import type { Log } from '../log.ts'
import type { CopyStore } from '../publishing/copy-store.ts'
import type { Publication } from '../publishing/publish-copies.ts'
import { listBuilders } from '../work/due-work.ts'
import type { WorkerOptions } from './worker-options.ts'

/** Where a claim publishes pages, or why it does not. */
export type PublishTarget =
  | { readonly state: 'ready'; readonly copies: CopyStore; readonly claim: Publication }
  /** Static copies are turned off. */
  | { readonly state: 'off' }
  /** The folder is not usable: a message for clients. */
  | { readonly state: 'unavailable'; readonly problem: string }

/** Fences late claims, so that they can change no static copies any more. */
export const fenceIn =
  ({ copies }: Pick<WorkerOptions, 'copies'>) =>
  async (owners: readonly string[]): Promise<void> => {
    for (const id of owners) await copies?.fence(id)
  }

/**
 * Ends what the claims that own no work have left behind; processes leave it when they are killed. A claim whose transaction is not committed
 * yet may be fenced too: it ends with a `LostLeaseError`, and its work is claimed again.
 * @param listBuilders reads the ids of all builders that have a site
 * @returns the ids of these claims
 */
export async function removeUnownedClaims(
  copies: CopyStore,
  listBuilders: () => Promise<ReadonlySet<string>>,
): Promise<string[]> {
  // In this order, so that a claim that begins meanwhile keeps what it has.
  const claims = await copies.owners()
  if (claims.length === 0) return []
  const owners = await listBuilders()
  const unowned = claims.filter((id) => !owners.has(id))
  for (const id of unowned) await copies.fence(id)
  return unowned
}

/** Opens the static copies for a claim. An outage is logged once. */
export async function openTarget(
  { db, globals, copies, outage }: WorkerOptions,
  { site, owner }: { readonly site: number; readonly owner: string },
  log: Log,
): Promise<PublishTarget> {
  if (copies === undefined) return { state: 'off' }
  try {
    await copies.open()
    // During the outage, claims could not end.
    if (outage.isLogged) await removeUnownedClaims(copies, () => listBuilders(db, globals))
    const claim = { writer: await copies.begin(site, owner), growth: 0 }
    outage.isLogged = false
    return { state: 'ready', copies, claim }
  } catch (error) {
    if (!outage.isLogged) log.error({ err: error }, 'static copies cannot be written')
    outage.isLogged = true
    return { state: 'unavailable', problem: TARGET_PROBLEM }
  }
}

export const TARGET_PROBLEM =
  'The static copies cannot be written, so no page was published. Pages are rendered on request meanwhile. The reason is in the log of the service.'
