import { keepRenewing } from '../db/lease.ts'
import type { Log } from '../log.ts'
import { hasCopies } from '../publishing/copies-table.ts'
import { isTemporary } from '../publishing/copy-failure.ts'
import { LostLeaseError } from '../publishing/copy-store.ts'
import {
  type Claim,
  type ClaimOptions,
  claimWork,
  failClaim,
  newClaim,
  releaseClaim,
  renewClaim,
  returnClaim,
} from '../work/claims.ts'
import { ClaimedSite, type WorkOutcome } from './claimed-site.ts'
import { isUnavailable, logAndDescribe } from './executor.ts'
import type { FollowedChange } from './followed-change.ts'
import { fenceIn, openTarget } from './publish-target.ts'
import type { WorkerOptions } from './worker-options.ts'

/**
 * Claims work of a site, does it from one snapshot of the database, and completes it. Work that fails waits for its next try; work that was
 * touched meanwhile stays.
 * @param followed changes of the site whose clients wait in this process
 * @param rows see `ClaimOptions`
 */
export async function workOnSite(
  options: WorkerOptions,
  blogId: number,
  followed: readonly FollowedChange[],
  rows: Pick<ClaimOptions, 'onlyFresh' | 'onlyTouched'> = {},
): Promise<WorkOutcome> {
  const { db, globals } = options
  const log = options.log.child({ site: blogId })
  const claim = newClaim({ blogId, globals })
  const target = await openTarget(options, claim, log)
  if (target.state === 'off' && (await hasCopies(db, globals))) {
    for (const change of followed) change.fail(NO_STATIC_DIR)
    return 'later'
  }
  const writing = target.state === 'ready' ? target.claim : undefined
  try {
    // The target knows the claim before the database does, so that the next owner of the rows can always fence it.
    const claimed = await claimWork(db, claim, {
      fence: writing && fenceIn(options),
      ...rows,
    })
    if (claimed === 0 && followed.every(({ isBaked }) => isBaked)) return 'later'
    const renewal = keepRenewing(db.timings.work.leaseMs, () => renewClaim(db, claim))
    try {
      const outcome = await new ClaimedSite({ ...options, log }, claim, target, followed).run(
        claimed,
      )
      options.unavailable.delete(blogId)
      return outcome
    } catch (error) {
      // Another batch of pages may still be written: that ends before anyone else can claim them. Otherwise the next owner fences this claim.
      if (writing) await fenceIn(options)([claim.id])
      await giveBack(options, claim, error, followed, log)
      return 'later'
    } finally {
      await renewal.stop()
    }
  } finally {
    await writing?.writer.end().catch(() => {})
  }
}

/** Work that is done without a target leaves the copies as they are, so a process without one leaves the work to one that has it. */
const NO_STATIC_DIR =
  'Nothing was built here: the network has static copies, and this process has no STATIC_DIR and no STATIC_TARGET. Your change is saved; a process that has one builds it.'

/** The whole claim failed. If even that cannot be stored, the lease ends by itself. */
async function giveBack(
  options: WorkerOptions,
  claim: Claim,
  error: unknown,
  followed: readonly FollowedChange[],
  log: Log,
): Promise<void> {
  const { db } = options
  if (error instanceof LostLeaseError) {
    log.warn('another worker took over the work of this site, because it took too long')
    await releaseClaim(db, claim).catch(() => {})
    return
  }
  const message = describeClaimFailure(options, claim.site.blogId, error)
  for (const change of followed) if (!change.isDone) change.fail(message)
  const give = isUnavailable(error) || isTemporary(error) ? returnClaim : failClaim
  await give(db, claim, message).catch(() => {})
}

/** Logs why a whole claim failed, and returns a message for clients. Work is tried each second while the database is unavailable. */
export function describeClaimFailure(
  { log, unavailable }: Pick<WorkerOptions, 'log' | 'unavailable'>,
  blogId: number,
  error: unknown,
): string {
  const isRepeated = isUnavailable(error) && unavailable.has(blogId)
  if (isUnavailable(error)) unavailable.add(blogId)
  return logAndDescribe(error, log.child({ site: blogId }), isRepeated ? 'debug' : 'error')
}
