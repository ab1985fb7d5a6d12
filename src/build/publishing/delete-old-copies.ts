import type { Database } from '../../db/database.ts'
import { groupBy } from '../../host/group-by.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import { checkCopies, isDamaged } from './check-copies.ts'
import { listSitesWithCopies } from './copies-table.ts'
import { assertNoFailure } from './copy-failure.ts'
import { type CopyStore, CopyTargetError, type OwnedCopy } from './copy-store.ts'
import { readIdentity } from './network-identity.ts'
import { withOwnWriter } from './own-writer.ts'

export type CopyDeletionOptions = {
  readonly db: Database
  readonly globals: GlobalTables
  /** Where the static copies are. */
  readonly present: CopyStore
  /** Where they were. */
  readonly old: CopyStore
  /** The deletion ends after the present batch. Another call continues it. */
  readonly signal: AbortSignal
}

/** Copies that are deleted together. */
const COPIES_AT_ONCE = 200

/**
 * How many copies `deleteOldCopies` would delete.
 * @throws as it does
 */
export async function countOldCopies(options: CopyDeletionOptions): Promise<number> {
  await assertOld(options)
  await assertPresentComplete(options)
  let count = 0
  for await (const _ of options.old.list()) count += 1
  return count
}

/**
 * Deletes the static copies of the network in a target that it does not use any more, and then the marker there. Only what the marker and the
 * owners of the copies prove to be the network's is deleted, and nothing unless the present target has every copy as recorded.
 * @returns how many copies were deleted, and whether all were
 * @throws CopyTargetError if nothing may be deleted, errors of the database, and the first error of a copy that cannot be deleted
 */
export async function deleteOldCopies(
  options: CopyDeletionOptions,
): Promise<{ readonly deleted: number; readonly isComplete: boolean }> {
  const { old, signal } = options
  await assertOld(options)
  await assertPresentComplete(options)
  let deleted = 0
  // Copies are deleted one by one until one shows that the targets differ.
  let isOther = false
  let batch: OwnedCopy[] = []
  const flush = async () => {
    for (const [site, copies] of groupBy(batch, ({ owner }) => owner.site))
      await deleteBatch(options, site, copies)
    deleted += batch.length
    batch = []
  }
  for await (const copy of old.list()) {
    if (signal.aborted) return { deleted, isComplete: false }
    batch.push(copy)
    if (isOther && batch.length < COPIES_AT_ONCE) continue
    await flush()
    isOther ||= await isOtherTarget(options, copy)
  }
  await flush()
  await old.removeMarker()
  return { deleted, isComplete: true }
}

/** @throws CopyTargetError unless the old target belongs to this network */
async function assertOld({ db, globals, old }: CopyDeletionOptions): Promise<void> {
  const { identity: network } = await readIdentity(db, globals)
  const { network: owner, foreign } = await old.inspect(network)
  if (foreign !== undefined) throw new CopyTargetError(`${foreign}. Nothing was deleted.`)
  if (owner !== network.identity)
    throw new CopyTargetError(
      `"${old.name}" has no marker (.wp-frames) of this network, so nothing proves that the copies there are its own. Nothing was deleted. Check the address.`,
    )
}

/** @throws CopyTargetError if the present target lacks copies */
async function assertPresentComplete({ db, globals, present }: CopyDeletionOptions): Promise<void> {
  await present.open()
  let wrong = 0
  for (const blogId of await listSitesWithCopies(db, globals)) {
    wrong += (await checkCopies(db, { blogId, globals }, present)).filter(isDamaged).length
  }
  if (wrong > 0)
    throw new CopyTargetError(
      `${wrong} static ${wrong === 1 ? 'copy' : 'copies'} in "${present.name}" (${present.setting}) ${wrong === 1 ? 'is' : 'are'} not as recorded, or not written yet. Nothing was deleted. Run "wp-frames doctor --fix" and "wp-frames work --wait", then this command again.`,
    )
}

async function deleteBatch(
  { old }: CopyDeletionOptions,
  site: number,
  copies: readonly OwnedCopy[],
): Promise<void> {
  const former = copies.map(({ location, owner: { page } }) => ({ location, page }))
  await withOwnWriter(old, site, async (writer) => {
    assertNoFailure(await writer.remove(former))
  })
}

/**
 * Two addresses may lead to the same folder or bucket, which no comparison of texts shows.
 * @param copy was deleted from the old target
 * @returns true if the present one still has it, false if it has none of the page
 * @throws CopyTargetError if it is gone from the present one too
 */
async function isOtherTarget(
  { db, globals, present, old }: CopyDeletionOptions,
  { owner: { site, page } }: OwnedCopy,
): Promise<boolean> {
  const [copy] = await checkCopies(db, { blogId: site, globals }, present, [page])
  if (copy === undefined) return false
  if (copy.files !== 'missing') return true
  throw new CopyTargetError(
    `"${old.name}" and "${present.name}" (${present.setting}) are the same target: the copy of page ${page} of site ${site} is gone from both. Nothing else was deleted; "wp-frames doctor --fix" publishes that page again.`,
  )
}
