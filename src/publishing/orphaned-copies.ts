import type { Db } from '../db/database.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { readCopyRecords } from './copies-table.ts'
import { assertNoFailure } from './copy-failure.ts'
import type { CopyTarget, OwnedCopy } from './copy-target.ts'
import { withOwnClaim } from './own-claim.ts'

/** Copies whose records are read together. */
const COPIES_AT_ONCE = 500

/** Finds all orphaned copies: those that their page's record does not point to, so that no later write would find them. */
export async function* findOrphanedCopies(
  db: Db,
  globals: GlobalTables,
  target: CopyTarget,
): AsyncGenerator<OwnedCopy> {
  let copies: OwnedCopy[] = []
  for await (const copy of target.listOwned()) {
    copies.push(copy)
    if (copies.length < COPIES_AT_ONCE) continue
    yield* await orphansAmong(db, globals, target, copies)
    copies = []
  }
  yield* await orphansAmong(db, globals, target, copies)
}

/**
 * Removes an orphaned copy, unless a record points to it meanwhile.
 * @throws LostLeaseError if each claim was fenced
 */
export async function removeOrphanedCopy(
  db: Db,
  globals: GlobalTables,
  target: CopyTarget,
  orphan: OwnedCopy,
): Promise<void> {
  const { location, owner } = orphan
  const { site, page } = owner
  await withOwnClaim(target, site, async (claim) => {
    if ((await withoutRecord(db, globals, target, [orphan])).length === 0) return
    if ((await target.readOwner(location)) === undefined) return
    assertNoFailure(await claim.remove([{ location, site, page }]))
  })
}

/** Those that are still on disk, and still without a record: they may have been removed since their folder was read. */
async function orphansAmong(
  db: Db,
  globals: GlobalTables,
  target: CopyTarget,
  copies: readonly OwnedCopy[],
): Promise<OwnedCopy[]> {
  const candidates = await withoutRecord(db, globals, target, copies)
  const present: OwnedCopy[] = []
  for (const copy of candidates) {
    const owner = await target.readOwner(copy.location)
    if (owner?.site === copy.owner.site && owner.page === copy.owner.page) present.push(copy)
  }
  return withoutRecord(db, globals, target, present)
}

async function withoutRecord(
  db: Db,
  globals: GlobalTables,
  target: CopyTarget,
  copies: readonly OwnedCopy[],
): Promise<OwnedCopy[]> {
  const orphans: OwnedCopy[] = []
  for (const blogId of new Set(copies.map(({ owner }) => owner.site))) {
    const own = copies.filter(({ owner }) => owner.site === blogId)
    const pages = own.map(({ owner }) => owner.page)
    const records = await readCopyRecords(db, { blogId, globals }, pages)
    for (const copy of own) {
      const url = records.get(copy.owner.page)?.url
      if (url === undefined || target.locate(url) !== copy.location) orphans.push(copy)
    }
  }
  return orphans
}
