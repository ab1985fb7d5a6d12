import { readPendingWork } from '../../content/work/pending-work.ts'
import type { Db } from '../../db/database.ts'
import { groupBy } from '../../host/group-by.ts'
import type { GlobalTables, Site } from '../../wordpress/network/site.ts'
import type { Page } from '../../wordpress/pages/posts.ts'
import { type CopyRecord, type CopySite, listCopyRecords, readCopyRecords } from './copies-table.ts'
import { assertNoFailure } from './copy-failure.ts'
import type { CopyFiles, CopyStore, OwnedCopy } from './copy-store.ts'
import { withOwnWriter } from './own-writer.ts'

/** The record of a copy, and what became of its files. */
export type CheckedRecord = CopyRecord & { readonly files: CopyFiles }

/**
 * Compares the copies of a site with their records.
 * @param pages [all]
 * @returns by page id in ascending order
 */
export async function checkCopies(
  db: Db,
  site: CopySite,
  copies: CopyStore,
  pages?: readonly number[],
): Promise<CheckedRecord[]> {
  const records = pages
    ? [...(await readCopyRecords(db, site, pages)).values()]
    : await listCopyRecords(db, site)
  const files = await copies.check(site.blogId, records)
  return records.map((record, index) => ({ ...record, files: files[index] ?? 'missing' }))
}

/** Whether a copy is not what its record says, or was not completed. */
export const isDamaged = ({ files, digest }: CheckedRecord): boolean =>
  files === 'damaged' || files === 'missing' || digest === undefined

/** The pages whose copies are damaged, without those that are published at present. */
export async function findDamagedCopies(
  db: Db,
  site: Site,
  copies: CopyStore,
  pages: readonly number[],
): Promise<number[]> {
  const damaged = (await checkCopies(db, site, copies, pages)).filter(isDamaged)
  return (await withoutLaterChanges(db, site, damaged)).map(({ page }) => page)
}

/** Why a copy is outdated, as its record tells: the page was edited since it was made, or its frame was built since. */
export function whyOutdated(
  { pageModified, source }: CopyRecord,
  page: Page,
  /** See `CopyContent`; undefined if unknown. */
  sourceFingerprint: string | undefined,
): 'edited' | 'built' | undefined {
  if (pageModified !== undefined && pageModified !== page.modifiedGmt) return 'edited'
  return sourceFingerprint === undefined || sourceFingerprint === source ? undefined : 'built'
}

const RECORDED = ['url', 'version', 'source', 'pageModified', 'digest', 'fileTime'] as const

/**
 * The copies whose records are the same afterwards, and whose pages are not to be published: a build may replace a copy between the reads of its
 * record and its files.
 * @param copies `frame`: id of the frame of the page, if it has one
 */
export async function withoutLaterChanges<Copy extends CopyRecord & { readonly frame?: string }>(
  db: Db,
  site: Site,
  copies: readonly Copy[],
): Promise<Copy[]> {
  if (copies.length === 0) return []
  const pages = copies.map(({ page }) => page)
  // In this order: a build that ends in between has changed the record.
  const pending = await readPendingWork(db, site, pages)
  const later = await readCopyRecords(db, site, pages)
  return copies.filter((copy) => {
    const record = later.get(copy.page)
    const isSame = record && RECORDED.every((property) => copy[property] === record[property])
    return isSame && !pending.hasPage(copy.page, copy.frame)
  })
}

/** Copies whose records are read together. */
const COPIES_AT_ONCE = 500

/** Where copies are, and the records of them. */
export type RecordedTarget = {
  readonly db: Db
  readonly globals: GlobalTables
  readonly copies: CopyStore
}

/** Finds all orphaned copies: those that their page's record does not point to, so that no later write would find them. */
export async function* findOrphanedCopies(target: RecordedTarget): AsyncGenerator<OwnedCopy> {
  let batch: OwnedCopy[] = []
  for await (const copy of target.copies.list()) {
    batch.push(copy)
    if (batch.length < COPIES_AT_ONCE) continue
    yield* await orphansAmong(target, batch)
    batch = []
  }
  yield* await orphansAmong(target, batch)
}

/**
 * Removes an orphaned copy, unless a record points to it meanwhile.
 * @throws LostLeaseError if each writer was fenced, CopyFailedError
 */
export async function removeOrphanedCopy(target: RecordedTarget, orphan: OwnedCopy): Promise<void> {
  const { location, owner } = orphan
  await withOwnWriter(target.copies, owner.site, async (writer) => {
    if ((await withoutRecord(target, [orphan])).length > 0)
      assertNoFailure(await writer.remove([{ location, page: owner.page }]))
  })
}

/** Those that are still there, and still without a record: they may have been removed since they were listed. */
async function orphansAmong(
  target: RecordedTarget,
  batch: readonly OwnedCopy[],
): Promise<OwnedCopy[]> {
  const present: OwnedCopy[] = []
  for (const copy of await withoutRecord(target, batch)) {
    const { site, page } = copy.owner
    const owner = (await target.copies.read(site, copy.location))?.owner
    if (owner?.site === site && owner.page === page) present.push(copy)
  }
  return withoutRecord(target, present)
}

async function withoutRecord(
  { db, globals, copies }: RecordedTarget,
  batch: readonly OwnedCopy[],
): Promise<OwnedCopy[]> {
  const orphans: OwnedCopy[] = []
  for (const [blogId, own] of groupBy(batch, ({ owner }) => owner.site)) {
    const pages = own.map(({ owner }) => owner.page)
    const records = await readCopyRecords(db, { blogId, globals }, pages)
    for (const copy of own) {
      const url = records.get(copy.owner.page)?.url
      if (url === undefined || copies.locate(url) !== copy.location) orphans.push(copy)
    }
  }
  return orphans
}
