import { randomBytes } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { opendir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../db/database.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { readCopyRecords } from './copies-table.ts'
import { removeCopy } from './copy-files.ts'
import { isFileNotFound } from './file-not-found.ts'
import { createStaging } from './staging.ts'
import { type CopyOwner, readOwner } from './static-copy.ts'
import { COPY_FILE, copyFolderForUrl } from './static-path.ts'

/** A static copy that its page's record does not point to: no later write would find it. */
export type OrphanedCopy = { readonly folder: string; readonly owner: CopyOwner }

/** Copies whose records are read together. */
const COPIES_AT_ONCE = 500

/**
 * Finds all orphaned copies. Copies without an owner file were created by hand and do not count.
 * @param staticDir absolute path
 */
export async function* findOrphanedCopies(
  db: Db,
  globals: GlobalTables,
  staticDir: string,
): AsyncGenerator<OrphanedCopy> {
  let copies: OrphanedCopy[] = []
  for await (const copy of listOwnedCopies(staticDir)) {
    copies.push(copy)
    if (copies.length < COPIES_AT_ONCE) continue
    yield* await orphansAmong(db, globals, staticDir, copies)
    copies = []
  }
  yield* await orphansAmong(db, globals, staticDir, copies)
}

/**
 * Removes an orphaned copy, unless a record points to it meanwhile.
 * @param staticDir absolute path
 */
export async function removeOrphanedCopy(
  db: Db,
  globals: GlobalTables,
  staticDir: string,
  orphan: OrphanedCopy,
): Promise<void> {
  const { folder, owner } = orphan
  const staging = await createStaging(staticDir, randomBytes(8).toString('hex'))
  try {
    if ((await withoutRecord(db, globals, staticDir, [orphan])).length === 0) return
    const root = await realpath(staticDir)
    const { site, page } = owner
    if ((await readOwner(folder)) === undefined) return
    removeCopy({ root, staticDir, staging: staging.path }, { folder, site, page })
  } finally {
    await staging.remove()
  }
}

/** Those that are still on disk, and still without a record: they may have been removed since their folder was read. */
async function orphansAmong(
  db: Db,
  globals: GlobalTables,
  staticDir: string,
  copies: readonly OrphanedCopy[],
): Promise<OrphanedCopy[]> {
  const candidates = await withoutRecord(db, globals, staticDir, copies)
  const present: OrphanedCopy[] = []
  for (const copy of candidates) {
    const owner = await readOwner(copy.folder)
    if (owner?.site === copy.owner.site && owner.page === copy.owner.page) present.push(copy)
  }
  return withoutRecord(db, globals, staticDir, present)
}

async function withoutRecord(
  db: Db,
  globals: GlobalTables,
  staticDir: string,
  copies: readonly OrphanedCopy[],
): Promise<OrphanedCopy[]> {
  const orphans: OrphanedCopy[] = []
  for (const blogId of new Set(copies.map(({ owner }) => owner.site))) {
    const own = copies.filter(({ owner }) => owner.site === blogId)
    const pages = own.map(({ owner }) => owner.page)
    const records = await readCopyRecords(db, { blogId, globals }, pages)
    for (const copy of own) {
      const url = records.get(copy.owner.page)?.url
      if (url === undefined || copyFolderForUrl(staticDir, url) !== copy.folder) orphans.push(copy)
    }
  }
  return orphans
}

/** All copies that have an owner file. */
async function* listOwnedCopies(staticDir: string): AsyncGenerator<OrphanedCopy> {
  const open = [staticDir]
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    let hasCopy = false
    for await (const entry of streamEntries(folder)) {
      // Names that start with a dot are internal; symbolic links may lead out of the folder.
      if (entry.isDirectory() && !entry.name.startsWith('.')) open.push(join(folder, entry.name))
      hasCopy ||= entry.isFile() && entry.name === COPY_FILE
    }
    const owner = hasCopy ? await readOwner(folder) : undefined
    if (owner) yield { folder, owner }
  }
}

async function* streamEntries(folder: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(folder)
  } catch (error) {
    if (!isFileNotFound(error)) throw error
  }
}
