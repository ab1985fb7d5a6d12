import { resolve } from 'node:path'
import type { Log } from '../log.ts'
import {
  createStaging,
  fenceClaim,
  removeUnownedStaging,
  type Staging,
} from '../publishing/staging.ts'
import { type Claim, type Fence, listOwners } from '../work/claims.ts'
import type { WorkerOptions } from './worker-options.ts'

/** Where a claim publishes pages, or why it does not. */
export type PublishTarget =
  | { readonly state: 'ready'; readonly staticDir: string; readonly staging: Staging }
  /** Static copies are turned off. */
  | { readonly state: 'off' }
  /** The folder is not usable: a message for clients. */
  | { readonly state: 'unavailable'; readonly problem: string }

/** Fences late claims in the folder of the static copies. */
export const fenceIn =
  ({ staticDir }: Pick<WorkerOptions, 'staticDir'>): Fence =>
  async (claimIds) => {
    if (staticDir === undefined) return
    for (const id of claimIds) await fenceClaim(resolve(staticDir), id)
  }

/** Opens the folder of the static copies for a claim: creates its staging folder. An outage is logged once. */
export async function openTarget(
  { db, globals, staticDir, folder, outage }: WorkerOptions,
  { id }: Claim,
  log: Log,
): Promise<PublishTarget> {
  if (staticDir === undefined || folder === undefined) return { state: 'off' }
  try {
    await folder.assertPresent()
    // During the outage, claims could not remove their staging folders.
    if (outage.isLogged)
      await removeUnownedStaging(resolve(staticDir), () => listOwners(db, globals))
    const staging = await createStaging(resolve(staticDir), id)
    outage.isLogged = false
    return { state: 'ready', staticDir, staging }
  } catch (error) {
    if (!outage.isLogged) log.error({ err: error }, 'static copies cannot be written')
    outage.isLogged = true
    return { state: 'unavailable', problem: FOLDER_PROBLEM }
  }
}

export const FOLDER_PROBLEM =
  'The folder of the static copies is unavailable, so no page was published. Pages are rendered on request meanwhile. The reason is in the log of the service.'
